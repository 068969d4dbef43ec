import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './testing/document-examples';

let folder: string;
let preload: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'old-node-'));
  preload = join(folder, 'debian-12.cjs');
  const versions = `{ ...process.versions, node: '18.19.0' }`;
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [['apps/ingress/dist/main.js']],
  [['apps/channel-worker/dist/main.js']],
  [['apps/cli/bin/pushfleet.cjs', 'serve']],
  [['apps/cli/bin/pushfleet.cjs', 'doctor']],
])('a Node that is too old is told in one line: %j', ([program = '', ...args]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', preload, join(ROOT, program), ...args], {
    encoding: 'utf8',
    env: {},
  });
  const told = 'pushfleet needs Node 20.19 or later; this is 18.19.0.\n';
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: told });
});
