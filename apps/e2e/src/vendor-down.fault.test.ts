import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { faultRandom } from './fault-random';

const DEVICES = 10_000;
const OUTAGE_MS = 2000;
const STOPS = 6;
const WORKER = { SEND_CONCURRENCY: '8', BULK_LOCK_MS: '1500' };

const random = faultRandom();
let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp([]));
  await registerDevices(fleet, app, DEVICES);
  await fleet.runWorker('hms', WORKER);
});

beforeEach(() => fleet.simulator('DELETE', ''));
afterAll(() => fleet.stop());

const everybody = async (): Promise<string> => (await fleet.push(app, { data: { alert: 'everybody' } })).objectId;
const one = async (): Promise<string> => {
  const where = { installationId: 'device-7' };
  return (await fleet.push(app, { where, data: { alert: 'one' } })).objectId;
};

async function expectAllAccepted(pushId: string, count: number): Promise<void> {
  const record = await fleet.done(app, pushId);
  expectBalanced(record);
  expect(record.channels['hms']).toMatchObject({ matched: count, accepted: count, outstanding: 0 });
}

test('a vendor that resets every connection costs what it may have taken, and nobody has it twice', async () => {
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'reset' });
  const pushId = await everybody();
  await delay(OUTAGE_MS);
  await fleet.simulator('DELETE', '/faults');
  const record = await fleet.done(app, pushId);
  expectBalanced(record);
  const column = record.channels['hms'];
  const lost = column?.failed['unknown-outcome'] ?? 0;
  expect(column).toMatchObject({ matched: DEVICES, accepted: DEVICES - lost, outstanding: 0 });
  expect(await fleet.traffic('hms')).toMatchObject({ devices: DEVICES - lost, duplicates: 0 });
});

test.each(['http-5xx', 'throttled'])('a vendor that is away for seconds (%s) costs nothing but time', async (kind) => {
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind });
  const pushes = [await everybody(), await one()] as const;
  await delay(OUTAGE_MS);
  expect((await fleet.traffic('hms')).devices).toBe(0);
  await fleet.simulator('DELETE', '/faults');
  await expectAllAccepted(pushes[0], DEVICES);
  await expectAllAccepted(pushes[1], 1);
  expect(await fleet.traffic('hms')).toMatchObject({ devices: DEVICES + 1, duplicates: 0 });
});

test('a vendor that refuses every third call gets everybody in the end, nobody twice', async () => {
  for (const kind of ['http-5xx', 'throttled'])
    await fleet.simulator('PUT', '/faults', { channel: 'hms', kind, share: 0.2 });
  await expectAllAccepted(await everybody(), DEVICES);
  expect(await fleet.traffic('hms')).toMatchObject({ devices: DEVICES, duplicates: 0 });
});

test('an access token that is revoked in the middle of a campaign is no fault', async () => {
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 25 });
  const pushId = await everybody();
  await until(async () => (await fleet.traffic('hms')).devices > 0);
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'token-expired', count: 1 });
  await expectAllAccepted(pushId, DEVICES);
  expect((await fleet.record(app, pushId)).errors).toEqual([]);
  expect(await fleet.traffic('hms')).toMatchObject({ devices: DEVICES, duplicates: 0 });
});

test(`a worker stopped at ${STOPS} random moments loses nobody and sends nothing twice (seed ${random.seed})`, async () => {
  for (let round = 0; round < STOPS; round += 1) {
    await fleet.simulator('DELETE', '');
    await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 25 });
    const worker = fleet.service('worker-hms');
    const pushes = [await everybody(), await one()] as const;
    await delay(random.between(0, 120));
    expect(await worker.stop('SIGTERM')).toBe(0);
    await fleet.runWorker('hms', WORKER);
    await expectAllAccepted(pushes[0], DEVICES);
    await expectAllAccepted(pushes[1], 1);
    expect(await fleet.traffic('hms')).toMatchObject({ devices: DEVICES + 1, duplicates: 0 });
  }
});
