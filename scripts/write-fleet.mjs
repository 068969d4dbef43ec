import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `node scripts/write-fleet.mjs` writes what names channels or their origins in docker-compose.yml, the env files, the targets
// of Prometheus and the development overlay, from the registry of channels; with --check it only says whether they are current.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { fleetFiles } = require('./fleet/fleet-files.cjs');
const { channels } = require('@pushfleet/channels');
const { OWN_CHANNEL } = require('@pushfleet/domain');

const current = (path) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : '');
const files = fleetFiles({ channels: Object.values(channels), own: OWN_CHANNEL }, current);

if (!process.argv.includes('--check')) {
  for (const { path, text } of files) writeFileSync(join(ROOT, path), text);
} else {
  const stale = files.filter(({ path, text }) => current(path) !== text).map(({ path }) => path);
  if (stale.length > 0) {
    process.stderr.write(`not current: ${stale.join(', ')}; run: node scripts/write-fleet.mjs\n`);
    process.exit(1);
  }
}
