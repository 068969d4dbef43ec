import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `node scripts/write-configuration.mjs` writes docs/configuration.md from the built apps; with --check it only says
// whether the page is current.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = join(ROOT, 'docs/configuration.md');

const require = createRequire(import.meta.url);
const { configurationPage } = require('./configuration-page.cjs');
const { describeConfig } = require('@pushfleet/service-kit');

const apps = readdirSync(join(ROOT, 'apps'))
  .sort()
  .filter((app) => existsSync(join(ROOT, 'apps', app, 'src/config.ts')))
  .map((app) => {
    const { configSchema } = require(join(ROOT, 'apps', app, 'dist/config.js'));
    return { app, variables: describeConfig(configSchema) };
  });

const page = configurationPage(apps);
if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, page);
} else if (!existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page) {
  process.stderr.write('docs/configuration.md is not current: node scripts/write-configuration.mjs\n');
  process.exit(1);
}
