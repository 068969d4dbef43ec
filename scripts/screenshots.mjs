import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inRoot } from './launch/paths.mjs';
import { fillDemo } from './screenshots/fill-demo.mjs';
import { takePictures } from './screenshots/take-pictures.mjs';

const PORTS = ['INGRESS_PORT', 'CONSOLE_PORT', 'SIMULATOR_PORT', 'USER_INFO_PORT', 'GATEWAY_PORT'];

/** The pictures of the documents: a demo of its own is started, filled, and looked at with Chromium. */
const folder = mkdtempSync(join(tmpdir(), 'pushfleet-screenshots-'));
// Never in a Redis that somebody else uses: without an address the demo starts its own.
const settings = {
  PUSHFLEET_STATE_DIR: folder,
  REDIS_URL: '',
  ...Object.fromEntries(PORTS.map((name) => [name, '0'])),
};
const demo = spawn(process.execPath, [inRoot('scripts/start.mjs'), '--json'], {
  cwd: inRoot(),
  env: { ...process.env, ...settings },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const left = once(demo, 'close');
try {
  await Promise.race([
    takeAll(),
    left.then(([code]) => Promise.reject(new Error(`the demo ended with code ${code} before its pictures were taken`))),
  ]);
} finally {
  demo.kill('SIGINT');
  await left;
  rmSync(folder, { recursive: true, force: true });
}

async function takeAll() {
  const [line] = await once(createInterface(demo.stdout), 'line');
  const started = JSON.parse(line);
  await takePictures({ ...started, ...(await fillDemo(started)) });
}
