import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { inRoot } from '../launch/paths.mjs';
import { currentText, GENERATED } from './generated-files.mjs';

/** Writes what these writers give, or with `isCheck` only says which files are not current; resolves with the exit code. */
export async function generate(writers, isCheck) {
  const unknown = writers.filter((name) => !Object.hasOwn(GENERATED, name));
  if (unknown.length > 0) {
    process.stderr.write(`no writer is called ${unknown.join(', ')}: there are ${Object.keys(GENERATED).join(', ')}\n`);
    return 2;
  }
  let staleFiles = 0;
  for (const name of writers) {
    const files = await GENERATED[name]();
    const stale = files.filter(({ path, text }) => currentText(path) !== text);
    staleFiles += stale.length;
    if (stale.length === 0) continue;
    const paths = stale.map(({ path }) => path).join(', ');
    if (!isCheck) stale.forEach(write);
    process.stderr.write(isCheck ? `not current: ${paths}; run: npm run generate -- ${name}\n` : `wrote ${paths}\n`);
  }
  return isCheck && staleFiles > 0 ? 1 : 0;
}

function write({ path, text }) {
  mkdirSync(dirname(inRoot(path)), { recursive: true });
  writeFileSync(inRoot(path), text);
}
