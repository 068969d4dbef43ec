import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `node scripts/write-dashboards.mjs` writes infra/grafana/dashboards from the built package; a test says whether the files are
// current.
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../infra/grafana/dashboards');

const { dashboardFiles, textOf } = createRequire(import.meta.url)('../packages/dashboards/dist/index.js');

mkdirSync(FOLDER, { recursive: true });
for (const file of dashboardFiles()) writeFileSync(join(FOLDER, file.file), textOf(file));
