import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `node scripts/write-vendors.mjs` writes the codes into docs/vendors.md from the built channels; a test says whether the
// page is current.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = join(ROOT, 'docs/vendors.md');

const require = createRequire(import.meta.url);
const { vendorsPart, withPart } = require('./vendors-page.cjs');
const { channels } = require('@pushfleet/channels');
const { FAULT_POLICY: faults } = require('@pushfleet/channel-kit');
const { DISCARD_POLICY: discards } = require('@pushfleet/domain');

const vendors = Object.values(channels).map((channel) => ({
  channel,
  tables: require(join(ROOT, 'packages/channels/dist', channel.name, 'codes.js')),
}));
writeFileSync(PAGE, withPart(readFileSync(PAGE, 'utf8'), vendorsPart(vendors, { faults, discards })));
