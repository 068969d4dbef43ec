import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const CONFIG = 'packages/tooling/knip.json';

const manifest = (fields: object): string => JSON.stringify({ version: '1.0.0', private: true, ...fields });
const kit = { name: '@pushfleet/kit', exports: { '.': './src/index.ts' } };
const app = { name: '@pushfleet/app', dependencies: { '@pushfleet/kit': '*' } };

/** Two workspaces of which one offers more than the other asks for. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': manifest({ name: 'planted', workspaces: ['packages/*', 'apps/*'] }),
  'packages/kit/package.json': manifest(kit),
  'packages/kit/src/index.ts': "export { needed, planted, type Planted } from './things';\n",
  'packages/kit/src/things.ts':
    'export const needed = 1;\nexport const planted = 2;\nexport interface Planted {\n  a: 1;\n}\n',
  // A test of the package's own is no use of what the package offers.
  'packages/kit/src/things.test.ts':
    "import { needed } from './things';\ntest('is needed', () => expect(needed).toBe(1));\n",
  'apps/app/package.json': manifest(app),
  'apps/app/src/main.ts': "import { needed } from '@pushfleet/kit';\nprocess.exitCode = needed;\n",
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, dirname(CONFIG)), { recursive: true });
  copyFileSync(join(ROOT, CONFIG), join(folder, CONFIG));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('an export of a package that nobody asks for is found, a type among them', () => {
  const knip = join(ROOT, 'node_modules/knip/bin/knip.js');
  const call = [knip, '--config', CONFIG, '--no-progress', '--no-config-hints', '--include', 'exports,types'];
  const { stdout, status } = spawnSync(process.execPath, call, { cwd: folder, encoding: 'utf8' });
  expect(stdout).toMatch(/^planted\s.*packages\/kit\/src\/index\.ts/m);
  expect(stdout).toMatch(/^Planted\s+type\s.*packages\/kit\/src\/index\.ts/m);
  expect(stdout).not.toMatch(/^needed\s/m);
  expect(status).toBe(1);
});
