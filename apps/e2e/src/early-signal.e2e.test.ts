import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const APPS = join(__dirname, '../..');
const HOOK = join(__dirname, 'testing/signal-while-loading.cjs');
/** Processes of a fleet: those that have metrics. */
const services = readdirSync(APPS).filter((app) => existsSync(join(APPS, app, 'src/metrics.ts')));

test('every kind of process is looked at', () => {
  expect(services).toEqual(expect.arrayContaining(['channel-worker', 'console', 'dispatcher', 'gateway', 'ingress']));
});

test.each(services)('%s leaves in order when it is told to while its modules are loaded', async (app) => {
  const child = fork(join(APPS, app, 'dist/main.js'), [], {
    execArgv: ['--require', HOOK],
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  // Its configuration is empty: a start that was not called off would complain.
  expect({ code, signal, output }).toMatchObject({
    code: 0,
    signal: null,
    output: expect.not.stringContaining('required'),
  });
  expect(output).toContain('signalled while loading');
});
