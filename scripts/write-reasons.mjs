import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `node scripts/write-reasons.mjs` writes docs/reasons.md from the built domain; a test says whether the page is current.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const require = createRequire(import.meta.url);
const { reasonsPage } = require('./reasons-page.cjs');
const { ADVICE_TEXTS, DESCRIBED_REASONS } = require('@pushfleet/domain');

writeFileSync(join(ROOT, 'docs/reasons.md'), reasonsPage(DESCRIBED_REASONS, ADVICE_TEXTS));
