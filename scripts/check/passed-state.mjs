import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../launch/paths.mjs';

const FOLDER = inRoot('node_modules/.cache/pushfleet-check');
/** Whoever changes one of these asks about every file anew. */
const RULES = [
  'package-lock.json',
  'packages/tooling/eslint.config.mjs',
  'packages/tooling/eslint.typed.mjs',
  'scripts/check/types-and-lint.mjs',
];

/** Where it is kept what the files were like when types and lint were right under the rules of today. */
export function passedState() {
  const hash = createHash('sha256');
  for (const file of RULES) hash.update(readFileSync(inRoot(file)));
  const name = `${hash.digest('hex').slice(0, 16)}.tsbuildinfo`;
  mkdirSync(FOLDER, { recursive: true });
  if (process.env.ALL === '1') rmSync(join(FOLDER, name), { force: true });
  return {
    path: join(FOLDER, name),
    forgetOthers() {
      for (const other of readdirSync(FOLDER)) if (other !== name) rmSync(join(FOLDER, other), { force: true });
    },
  };
}
