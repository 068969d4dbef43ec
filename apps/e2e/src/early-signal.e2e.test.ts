import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@pushfleet/testing';
import { forkApp } from './testing/forked-app';

const APPS = join(__dirname, '../..');
const HOOK = join(__dirname, 'testing/signal-while-loading.cjs');
/** Processes of a fleet: those that have metrics. */
const services = readdirSync(APPS).filter((app) => existsSync(join(APPS, app, 'src/metrics.ts')));

test('every kind of process is looked at', () => {
  expect(services).toEqual(expect.arrayContaining(['channel-worker', 'console', 'dispatcher', 'gateway', 'ingress']));
});

test.each(services)('%s leaves in order when it is told to while its modules are loaded', async (app) => {
  const { left, output } = forkApp(app, {}, ['--require', HOOK]);
  // Its configuration is empty: a start that was not called off would complain.
  expect({ ...(await left), output: output() }).toMatchObject({
    code: 0,
    signal: null,
    output: expect.not.stringContaining('required'),
  });
  expect(output()).toContain('signalled while loading');
});

/** When a process of each kind is told, in milliseconds: so many starts at once take seconds. */
const MOMENTS_MS = [100, 500];
const PORTS = ['METRICS', 'INGRESS', 'GATEWAY', 'USER_INFO', 'CONSOLE', 'SIMULATOR'].map((name) => `${name}_PORT`);

test('every kind of process ends by itself when it is told to in its first moments, on a busy machine', async () => {
  const env = {
    // There is no Redis: whoever misses the signal waits for it for ever.
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    ...{
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      ADMIN_TOKEN: 'admin-token',
      CHANNEL: 'hms',
      DRAIN_MS: '0',
    },
    ...Object.fromEntries(PORTS.map((name) => [name, '0'])),
  };
  const started = services.flatMap((app) => MOMENTS_MS.map((atMs) => ({ app, atMs, ...forkApp(app, env) })));
  try {
    await Promise.all(started.map(({ child, atMs }) => delay(atMs).then(() => child.kill('SIGTERM'))));
    for (const { app, atMs, left, output } of started) {
      const { code, signal } = await left;
      // Before a program begins, the system ends its process.
      const isEnded = code === 0 || signal === 'SIGTERM';
      expect({ app, atMs, isEnded, output: output() }).toEqual({
        app,
        atMs,
        isEnded: true,
        output: expect.any(String),
      });
    }
  } finally {
    for (const { child } of started) child.kill('SIGKILL');
  }
});
