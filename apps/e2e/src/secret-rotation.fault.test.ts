import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { expectBalanced, Fleet, type DemoApp } from './fleet';

const DEVICES = 8000;
const aKey = (): string => randomBytes(32).toString('base64');
const [OLD, NEW, WRONG] = [aKey(), aKey(), aKey()];

/** By the name that they have in the fleet. */
const HOLDERS = ['ingress', 'console', 'worker-hms'] as const;

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp(['hms'], { SECRET_KEY: OLD }));
  await registerDevices(fleet, app, DEVICES);
  // Campaigns outlast every step of the rotation.
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 400 });
}, 120_000);
afterAll(() => fleet.stop());

/** One after the other: the next starts before the one before it leaves. */
async function rollingRestart(keys: Readonly<Record<string, string>>): Promise<void> {
  Object.assign(fleet.env, { SECRET_KEY_PREVIOUS: '', ...keys });
  for (const name of HOLDERS) {
    const former = fleet.service(name);
    if (name === 'worker-hms') await fleet.runWorker('hms', { SEND_CONCURRENCY: '2' });
    else await fleet.run(name);
    await former.stop();
  }
}

interface Doctor {
  readonly checks: readonly { readonly check: string; readonly status: string; readonly finding: string }[];
}

const secretCheck = async () =>
  (await fleet.admin<Doctor>('GET', '/doctor')).checks.find(({ check }) => check === 'secret-key');

async function readiness({ urls }: { readonly urls: Readonly<Record<string, string>> }): Promise<object> {
  const answer = await fetch(`${urls['metrics'] ?? ''}/readyz`);
  return { status: answer.status, ...((await answer.json()) as { failures?: object }).failures };
}

test('SECRET_KEY is replaced as the documents say, with campaigns and messages under way, and loses no device', async () => {
  const campaigns: string[] = [];
  const messages: string[] = [];
  const campaign = async (): Promise<void> =>
    void campaigns.push((await fleet.push(app, { data: { alert: `campaign ${campaigns.length}` } })).objectId);
  let isOver = false;
  const sending = (async () => {
    while (!isOver) {
      const where = { installationId: `device-${messages.length % DEVICES}` };
      // An ingress that leaves may cut a request off; it says nothing then, and is asked again.
      const sent = await fleet.push(app, { where, data: { alert: 'one' } }).catch(() => undefined);
      if (sent) messages.push(sent.objectId);
      await delay(100);
    }
  })();

  await campaign();
  await rollingRestart({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
  await campaign();
  expect(await secretCheck()).toMatchObject({ status: 'warning', finding: expect.stringContaining('previous key') });
  const left = await fleet.run('user-info', { SECRET_KEY: OLD, SECRET_KEY_PREVIOUS: '' });
  expect(await readiness(left)).toEqual({ status: 200 });
  await fleet.admin('POST', '/secrets', {});
  await until(async () => 'last' in (await fleet.admin<object>('GET', '/secrets?progress=1')), { timeoutMs: 30_000 });
  expect(await secretCheck()).toMatchObject({ status: 'ok' });
  // One that was left out serves nobody from now on.
  expect(await readiness(left)).toEqual({ status: 503, 'secret-key': expect.stringContaining('opens nothing') });
  await campaign();
  await rollingRestart({ SECRET_KEY: NEW });
  await campaign();
  isOver = true;
  await sending;

  await fleet.simulator('DELETE', '/faults');
  for (const pushId of campaigns) {
    const record = await fleet.done(app, pushId, 120_000);
    expectBalanced(record);
    expect(record.channels['hms']).toMatchObject({ accepted: DEVICES, failed: {}, discarded: {} });
  }
  expect(messages.length).toBeGreaterThan(20);
  for (const pushId of messages) {
    const record = await fleet.done(app, pushId, 60_000);
    expect(record.channels['hms']).toMatchObject({ accepted: 1, failed: {}, discarded: {} });
  }
}, 400_000);

test.each(HOLDERS)(
  '%s does not start with a key that opens nothing, and says so in one line',
  async (name) => {
    const [service, extra] = name === 'worker-hms' ? ['channel-worker', { CHANNEL: 'hms' }] : [name, {}];
    for (const key of [WRONG, OLD]) {
      const started = fleet.run(service, { ...extra, SECRET_KEY: key }, 'wrong');
      await expect(started).rejects.toThrow(/SECRET_KEY: opens nothing of this fleet[^\n]*\n?$/);
    }
  },
  60_000,
);
