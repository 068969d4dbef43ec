import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The one version of all packages. */
export const readVersion = (): string =>
  (JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { readonly version: string }).version;
