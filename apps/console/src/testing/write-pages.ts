import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = '<!doctype html><html lang="en"><head><meta name="csp-nonce" content="" /></head></html>';

/** A folder of pages as `npm run build` leaves it, and one file that is none of them. */
export function writePages(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets/index-abc.js'), 'export const a = 1;\n'.repeat(500));
  writeFileSync(join(folder, 'assets/secrets.txt'), 'not of the pages');
  writeFileSync(join(folder, 'index.html'), PAGE);
}
