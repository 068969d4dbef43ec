import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../launch/paths.mjs';
import { Problem } from '../launch/problem.mjs';

/** Writes the archives and their checksums: aside first, so that a folder never has half of them. */
export function writeArchives(out, archives) {
  const sums = archives.map(({ name, data }) => `${createHash('sha256').update(data).digest('hex')}  ${name}\n`);
  const files = [...archives, { name: 'SHA256SUMS', data: sums.join('') }];
  const aside = openAside(out);
  try {
    for (const { name, data } of files) writeFileSync(join(aside, name), data);
    for (const { name } of files) renameSync(join(aside, name), join(out, name));
  } catch (cause) {
    throw new Problem(`${out} cannot be written: ${cause.message}`, { cause });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function openAside(out) {
  try {
    mkdirSync(out, { recursive: true });
    return mkdtempSync(join(out, '.writing-'));
  } catch (cause) {
    throw new Problem(`${out} cannot be written: ${cause.message}`, { cause });
  }
}

/** Writes the files that tell the version; all texts are there before the first is replaced. */
export function writeChanges(changes) {
  const asides = [...changes].map(([path, text]) => {
    const aside = inRoot(`${path}.release`);
    writeFileSync(aside, text);
    return [aside, inRoot(path)];
  });
  for (const [aside, path] of asides) renameSync(aside, path);
}
