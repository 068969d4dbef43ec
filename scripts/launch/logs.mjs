import { openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const TAIL_LINES = 20;
const STDERR = 2;

/** Where processes write: with `--json` to stderr, else each to a file of its own. */
export function openLogs({ dir, json }) {
  const pathOf = (name) => join(dir, `${name}.log`);
  const shown = (name) => relative(process.cwd(), pathOf(name));
  if (json) return { open: () => STDERR, hint: () => '', tail: () => 'Its log is above.' };
  return {
    open: (name) => openSync(pathOf(name), 'w'),
    hint: (name) => `Its log: ${shown(name)}`,
    tail(name) {
      const lines = readFileSync(pathOf(name), 'utf8').trimEnd().split('\n').slice(-TAIL_LINES);
      return `The end of ${shown(name)}:\n\n${lines.map((line) => `  ${line}`).join('\n')}`;
    },
  };
}
