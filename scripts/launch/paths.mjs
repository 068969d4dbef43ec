import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

export const inRoot = (...parts) => join(ROOT, ...parts);

/** A command line tool of an installed package. */
export const tool = (name) => inRoot('node_modules/.bin', name);

export const hasApp = (app) => existsSync(inRoot('apps', app, 'src/main.ts'));
