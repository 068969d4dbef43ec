import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
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
