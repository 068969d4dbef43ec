import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { faultRandom } from './fault-random';
import { faultDevices } from './fault-rounds';
import { QUICK_REPAIR } from './fault-scene';
import { expectBalanced, expectStreamed, expectTold, Fleet, type DemoApp, type WireRecord } from './fleet';

const DEVICES = faultDevices(6000);
/** Small calls, so that each of them has its own fault. */
const WORKER = { MAX_BATCH: '100' };
const VENDORS = ['hms', 'mi'] as const;
const CALL_MS = 40;
/** Long enough that nobody is done before the kill, on a machine where that takes its time. */
const HELD_CALL_MS = 20_000;
/** Nobody is done in this time, from the first call on. */
const MOMENTS_MS = DEVICES / 40;
/** On a busy machine. */
const DONE_MS = 60_000 + DEVICES;

const random = faultRandom();
let fleet: Fleet;
let app: DemoApp;

/** Of two vendors, of none, of one that nobody serves, without an address; some addresses are dead. */
const device = (_: unknown, n: number) => {
  const named = { installationId: `device-${n}` };
  if (n % 10 === 9) return { ...named, vendor: 'HMS' };
  if (n % 10 === 8) return { ...named, vendor: 'fcm', registrationId: `token-${n}` };
  if (n % 10 === 7) return named;
  return { ...named, vendor: n % 10 > 4 ? 'mi' : 'HMS', registrationId: n % 50 === 3 ? `gone-${n}` : `token-${n}` };
};

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp(['own'], { ...QUICK_REPAIR, ...WORKER }));
  await registerDevices(fleet, app, Array.from({ length: DEVICES }, device));
}, DONE_MS);

afterAll(() => fleet.stop());

/** Vendors that fail, refuse some of a call, and break off an answer when they have taken the message. */
async function faultyVendors(delayMs: number): Promise<void> {
  await fleet.simulator('DELETE', '');
  for (const channel of VENDORS) {
    const fault = (kind: string, more: object) => fleet.simulator('PUT', '/faults', { channel, kind, ...more });
    await fault('slow', { delayMs, path: channel === 'hms' ? 'messages:send' : '/message' });
    await fault('http-5xx', { share: 0.1 });
    await fault('partial', { share: 0.1 });
    await fault('truncated', { share: 0.05 });
  }
}

const startWorkers = () => Promise.all(VENDORS.map((channel) => fleet.runWorker(channel)));
const retireWorkers = (signal?: NodeJS.Signals) =>
  Promise.all(VENDORS.map((channel) => fleet.retire(`worker-${channel}`, signal)));

/** Their calls take so long. */
async function pushToFaulty(alert: string, callMs: number): Promise<string> {
  await faultyVendors(callMs);
  await startWorkers();
  return (await fleet.push(app, { data: { alert } })).objectId;
}

async function pushUntilCalled(alert: string, callMs: number): Promise<string> {
  const pushId = await pushToFaulty(alert, callMs);
  await until(async () => (await fleet.traffic('hms')).devices > 0);
  return pushId;
}

/** Whoever cannot be answered in time may cancel again. */
const cancel = (pushId: string): Promise<unknown> =>
  until(() => fleet.callAsServer(app, ['DELETE', `/notifications/${pushId}`]), { everyMs: 1000 });

/** As operators see it: senders are not told of a push that they cancelled. */
const doneRecord = (pushId: string): Promise<WireRecord> =>
  until(
    async () => {
      const record = await fleet.admin<WireRecord>('GET', `/apps/${app.id}/pushes/${pushId}`);
      if (record.status !== 'done') throw new Error(JSON.stringify(record));
      return record;
    },
    { timeoutMs: DONE_MS, everyMs: 100 },
  );

/** Every reason of the record counts as many devices as are told, by pages and as a stream. */
async function expectAllTold(pushId: string): Promise<WireRecord> {
  const record = await doneRecord(pushId);
  expectBalanced(record);
  expect(record.devices).toBe(DEVICES);
  await expectTold(fleet, app, record);
  await expectStreamed(fleet, app, record);
  return record;
}

describe(`what is told of ${DEVICES} devices adds up to the record (seed ${random.seed})`, () => {
  afterEach(() => retireWorkers());

  test('after faults, kills of workers and of the dispatcher', async () => {
    const pushId = await pushToFaulty('killed', CALL_MS);
    await delay(random.between(0, 200));
    await fleet.service('dispatcher').stop('SIGKILL');
    await fleet.run('dispatcher');
    await delay(random.between(0, MOMENTS_MS));
    await retireWorkers('SIGKILL');
    await startWorkers();
    await expectAllTold(pushId);
  }, 3_600_000);

  test('after faults and a cancel', async () => {
    const pushId = await pushUntilCalled('cancelled', CALL_MS);
    await delay(random.between(0, MOMENTS_MS));
    await cancel(pushId);
    await expectAllTold(pushId);
  }, 3_600_000);

  test('after faults, a kill, and a cancel while nobody works', async () => {
    const pushId = await pushUntilCalled('killed and cancelled', HELD_CALL_MS);
    await retireWorkers('SIGKILL');
    await cancel(pushId);
    await startWorkers();
    const { channels } = await expectAllTold(pushId);
    expect(channels['hms']?.discarded['cancelled']).toBeGreaterThan(0);
  }, 3_600_000);
});
