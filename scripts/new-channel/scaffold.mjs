import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';

const TEMPLATE = join(dirname(fileURLToPath(import.meta.url)), 'template');
const ENDING = '.tpl';
const COMMON = 'common';
const CHANNELS = 'packages/channels/src';
const REGISTRY = `${CHANNELS}/registry-channels.ts`;

/** How the example vendor is spoken to; beside what is common, each has a folder of the template. */
export const SESSIONS = ['bearer', 'header'];

/** Names that mean something else where a channel's name stands. */
const TAKEN = ['own', 'android', 'ios', 'testing'];

/** Why a channel cannot have this name in the project at `root`; undefined when it can. */
export function problemWith(name, root) {
  if (!/^[a-z][a-z0-9]{1,15}$/.test(name))
    return `"${name}" is no name for a channel: 2 to 16 of a-z and 0-9, a letter first, as the vendor value in lower case`;
  if (TAKEN.includes(name)) return `"${name}" means something else here: ${TAKEN.join(', ')} are taken`;
  if (isReserved(name)) return `"${name}" is a word of the language: choose another name`;
  if (existsSync(join(root, CHANNELS, name))) return `${CHANNELS}/${name} is there already`;
  return undefined;
}

function isReserved(name) {
  try {
    new Function(`'use strict'; const ${name} = 0;`);
    return false;
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}

/** Writes the folder of the channel and its line in the registry; gives the paths of what it wrote. */
export async function scaffold(name, { session, root }) {
  const style = JSON.parse(readFileSync(join(root, 'packages/tooling/prettier.json'), 'utf8'));
  const files = [COMMON, session].flatMap(templatesIn);
  const written = files.map(async ({ from, file }) => {
    const path = `${CHANNELS}/${name}/${file}`;
    const text = named(name, readFileSync(from, 'utf8'));
    mkdirSync(dirname(join(root, path)), { recursive: true });
    // How long the name is decides where lines break.
    writeFileSync(join(root, path), await format(text, { ...style, filepath: path }));
    return path;
  });
  const registry = join(root, REGISTRY);
  writeFileSync(registry, withLine(readFileSync(registry, 'utf8'), `export { ${name} } from './${name}';`));
  return [...(await Promise.all(written)).sort(), REGISTRY];
}

const templatesIn = (folder) =>
  readdirSync(join(TEMPLATE, folder), { recursive: true })
    .filter((file) => file.endsWith(ENDING))
    .map((file) => ({ from: join(TEMPLATE, folder, file), file: file.slice(0, -ENDING.length) }));

const named = (name, text) =>
  text
    .replaceAll('__name__', name)
    .replaceAll('__NAME__', name.toUpperCase())
    .replaceAll('__Name__', `${name[0].toUpperCase()}${name.slice(1)}`);

/** The lines of the registry stand in the order of names. */
function withLine(text, line) {
  const lines = text.trimEnd().split('\n');
  const at = lines.findIndex((other) => other.startsWith('export ') && other > line);
  lines.splice(at === -1 ? lines.length : at, 0, line);
  return `${lines.join('\n')}\n`;
}
