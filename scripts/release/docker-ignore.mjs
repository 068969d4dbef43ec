/** Tells of a path whether an image is built with it: as in Docker, the last pattern that matches it or a folder above decides. */
export function readDockerIgnore(text) {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isKept ?? true;
}

function patternOf(glob) {
  const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  const source = escaped.replaceAll(/\*\*\/|\*\*|\*|\?/g, (part) => WILD[part]);
  return new RegExp(`^${source}(?:/|$)`);
}

const WILD = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };
