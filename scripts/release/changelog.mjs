const HEADING = /^## (?:(\d+\.\d+\.\d+)(?: – (\S+))?|(Unreleased))$/gm;
const NOTES = /^### Upgrade notes\n([^]*?)(?=^### |(?![^]))/m;

/** The parts of a changelog, the newest first; one that is not released yet has no date. */
function partsOf(changelog) {
  const found = [...changelog.matchAll(HEADING)];
  return found.map((heading, i) => {
    const [line, version, date] = heading;
    const text = changelog.slice(heading.index + line.length, found[i + 1]?.index);
    return { line, version, date: date === 'unreleased' ? undefined : date, notes: NOTES.exec(text)?.[1].trim() ?? '' };
  });
}

/** The part that a release of `version` is about: what is not released yet, or else its own. */
export function partFor(changelog, version) {
  const parts = partsOf(changelog);
  return parts.find(({ date }) => date === undefined) ?? parts.find((part) => part.version === version);
}

/** The same changelog, its unreleased part being of this version and day. */
export const released = (changelog, part, { version, date }) =>
  changelog.replace(`${part.line}\n`, `## ${version} – ${date}\n`);
