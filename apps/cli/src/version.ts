import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const packageSchema = z.looseObject({ version: z.string() });

/** The one version of all packages. */
export const readVersion = (): string =>
  packageSchema.parse(JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8'))).version;
