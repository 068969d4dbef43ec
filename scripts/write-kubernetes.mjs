import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `node scripts/write-kubernetes.mjs` writes what repeats in infra/kubernetes from the registry of channels and the schemas of
// the built apps; with --check it only says whether the files are current.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = join(ROOT, 'infra/kubernetes');

const require = createRequire(import.meta.url);
const { manifestFiles } = require('./kubernetes/manifests.cjs');
const { channelNames } = require('@pushfleet/channels');
const { OWN_CHANNEL } = require('@pushfleet/domain');
const { describeConfig } = require('@pushfleet/service-kit');

const apps = readdirSync(join(ROOT, 'apps'))
  .filter((app) => existsSync(join(ROOT, 'apps', app, 'src/config.ts')))
  .map((app) => {
    const { configSchema } = require(join(ROOT, 'apps', app, 'dist/config.js'));
    return { app, variables: describeConfig(configSchema) };
  });
const files = manifestFiles({ apps, vendors: channelNames, own: OWN_CHANNEL });

if (!process.argv.includes('--check')) {
  for (const { path, text } of files) writeFileSync(join(FOLDER, path), text);
} else {
  const current = (path) => (existsSync(join(FOLDER, path)) ? readFileSync(join(FOLDER, path), 'utf8') : undefined);
  const stale = files.filter(({ path, text }) => current(path) !== text).map(({ path }) => path);
  if (stale.length > 0) {
    process.stderr.write(`not current: ${stale.join(', ')}; run: node scripts/write-kubernetes.mjs\n`);
    process.exit(1);
  }
}
