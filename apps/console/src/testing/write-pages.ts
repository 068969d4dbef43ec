import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** As the build writes it: it names a file. */
export const PAGE =
  '<!doctype html><html lang="en"><head><meta name="csp-nonce" content="" /><script src="/assets/index-abc.js"></script></head></html>';

/** A folder of pages as `npm run build` leaves it, and one file that is none of them. */
export function writePages(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets/index-abc.js'), 'export const a = 1;\n'.repeat(500));
  writeFileSync(join(folder, 'assets/secrets.txt'), 'not of the pages');
  writeFileSync(join(folder, 'index.html'), PAGE);
}
