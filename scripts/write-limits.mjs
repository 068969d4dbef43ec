import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `node scripts/write-limits.mjs` writes docs/limits.md from the built domain; a test says whether the page is current.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const require = createRequire(import.meta.url);
const { limitsPage } = require('./limits-page.cjs');
const { LIMIT_AREAS } = require('@pushfleet/domain');

writeFileSync(join(ROOT, 'docs/limits.md'), limitsPage(LIMIT_AREAS));
