import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { build } from 'vite';

const HERE = import.meta.dirname;
const require = createRequire(import.meta.url);

/** The types of the client come from the document that the console serves: a page that misreads an answer does not compile. */
async function writeClientTypes() {
  const { openApiDocument } = require(join(HERE, '../../apps/console/dist/openapi/document.js'));
  const file = join(HERE, 'src/api/schema.d.ts');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, astToString(await openapiTypescript(JSON.parse(JSON.stringify(openApiDocument())))));
}

function checkTypes() {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(HERE, 'tsconfig.web.json')], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const DIST = join(HERE, 'dist');
const FRESH = join(DIST, 'fresh');

/** The page comes last, when all that it names is there: a console serves what is in this folder while it is built. */
function publish() {
  const assets = join(DIST, 'assets');
  const made = readdirSync(join(FRESH, 'assets'));
  mkdirSync(assets, { recursive: true });
  for (const name of made) renameSync(join(FRESH, 'assets', name), join(assets, name));
  renameSync(join(FRESH, 'index.html'), join(DIST, 'index.html'));
  for (const name of readdirSync(assets)) if (!made.includes(name)) rmSync(join(assets, name));
  rmSync(FRESH, { recursive: true });
}

await writeClientTypes();
if (!process.argv.includes('--no-types')) checkTypes();
// Whatever the shell says: for another environment React is bundled as developers debug it, half as large again.
process.env.NODE_ENV = 'production';
await build({ configFile: join(HERE, 'vite.config.mjs'), logLevel: 'error', build: { outDir: FRESH } });
publish();
