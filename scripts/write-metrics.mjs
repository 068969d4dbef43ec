import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `node scripts/write-metrics.mjs` writes docs/metrics.md from the built apps; a test says whether the page is current.
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

const require = createRequire(import.meta.url);
const { metricsPage } = require('./metrics-page.cjs');
const { onlyFunction, registeredMetrics } = require('./registered-metrics.cjs');
const { openMetrics } = require('@pushfleet/service-kit');

const apps = readdirSync(join(ROOT, 'apps'))
  .sort()
  .filter((app) => existsSync(join(ROOT, 'apps', app, 'src/metrics.ts')));
const described = apps.map(async (app) => {
  const file = join(ROOT, 'apps', app, 'dist/metrics.js');
  return { app, metrics: await registeredMetrics(app, { openMetrics, register: onlyFunction(require(file), file) }) };
});
writeFileSync(join(ROOT, 'docs/metrics.md'), metricsPage(await Promise.all(described)));
