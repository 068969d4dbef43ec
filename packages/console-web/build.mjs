import { mkdirSync, writeFileSync } from 'node:fs';
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

await writeClientTypes();
if (!process.argv.includes('--no-types')) checkTypes();
// Whatever the shell says: for another environment React is bundled as developers debug it, half as large again.
process.env.NODE_ENV = 'production';
await build({ configFile: join(HERE, 'vite.config.mjs'), logLevel: 'error' });
