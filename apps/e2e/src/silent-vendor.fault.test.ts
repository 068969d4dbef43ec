import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { faultRounds } from './fault-rounds';
import { expectBalanced, Fleet, type DemoApp, type WireRecord } from './fleet';

/** Many rounds, `FAULT_ROUNDS=100`, have the time for a campaign of full size and a vendor that hangs for a minute. */
const isFull = faultRounds(1) >= 100;
const DEVICES = isFull ? 200_000 : 20_000;
const HANG_MS = isFull ? 60_000 : 6000;
const DEADLINE_MS = isFull ? 30_000 : 2000;
/** Of the calls before it hangs: slow enough that the campaign is still in its middle then. */
const CALL_MS = isFull ? 20 : 1000;
const LONG_MS = 600_000;
/** The longest pause of a circuit breaker, and room for a probe that hangs too. */
const RETURN_MS = 60_000 + 2 * DEADLINE_MS;
const BATCH = 1000;
const SEND_CONCURRENCY = 8;
/** Calls that open the breaker. */
const UNKNOWNS = 3;
const PROBES = 20;

const WORKER = { SEND_CONCURRENCY: String(SEND_CONCURRENCY), VENDOR_CAMPAIGN_TIMEOUT_MS: String(DEADLINE_MS) };

let fleet: Fleet;

beforeAll(async () => {
  fleet = await Fleet.start([]);
  await fleet.runWorker('hms', { ...WORKER, VENDOR_TIMEOUT_MS: String(DEADLINE_MS), DIRECT_CONCURRENCY: '8' });
});
afterEach(() => fleet.simulator('DELETE', ''));
afterAll(() => fleet.stop());

const appWith = async (devices: Parameters<typeof registerDevices>[2]): Promise<DemoApp> => {
  const app = await fleet.createApp();
  await registerDevices(fleet, app, devices);
  return app;
};
const campaign = async (app: DemoApp): Promise<string> =>
  (await fleet.push(app, { data: { alert: 'campaign' } })).objectId;
const code = async (app: DemoApp): Promise<string> => {
  const where = { installationId: 'device-7' };
  return (await fleet.push(app, { where, data: { alert: 'code' } })).objectId;
};
async function doneAndBalanced(app: DemoApp, pushId: string, timeoutMs: number): Promise<WireRecord> {
  const record = await fleet.done(app, pushId, timeoutMs);
  expectBalanced(record);
  return record;
}

test(`a vendor that takes and hangs in the middle of a campaign of ${DEVICES} costs a few calls, and nobody has it twice`, async () => {
  const app = await appWith(DEVICES);
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: CALL_MS });
  const pushId = await campaign(app);
  await until(async () => (await fleet.traffic('hms')).devices >= DEVICES / 10);
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'late', delayMs: LONG_MS });
  await delay(HANG_MS);
  await fleet.simulator('DELETE', '/faults');
  const record = await doneAndBalanced(app, pushId, RETURN_MS + DEVICES);
  const column = record.channels['hms'];
  const lost = column?.failed['unknown-outcome'] ?? 0;
  expect(column).toMatchObject({ matched: DEVICES, accepted: DEVICES - lost, outstanding: 0 });
  expect(lost).toBeGreaterThan(0);
  expect(lost).toBeLessThanOrEqual((UNKNOWNS + SEND_CONCURRENCY) * BATCH + PROBES);
  expect(await fleet.traffic('hms')).toMatchObject({ distinctDevices: DEVICES, duplicates: 0 });
}, 900_000);

test.each(['drip', 'late'])(
  'a vendor account whose answers are %s costs its own app only, and its calls end',
  async (kind) => {
    const [slow, other] = [await appWith(1000), await appWith(10)];
    const before = await fleet.admin<{ appId: string }>('GET', `/apps/${other.id}/profiles/hms/_default`);
    await fleet.admin('PUT', `/apps/${slow.id}/profiles/hms/_default`, { ...SLOW_PROFILE });
    await doneAndBalanced(slow, await code(slow), 20_000);
    expect(before.appId).not.toBe(SLOW_PROFILE.appId);
    await fleet.simulator('PUT', '/faults', {
      ...{ channel: 'hms', kind, path: `/${SLOW_PROFILE.appId}/` },
      delayMs: kind === 'late' ? LONG_MS : 1000,
    });
    const stuck: string[] = [await campaign(slow)];
    for (let i = 0; i < 40; i += 1) stuck.push(await code(slow));
    await until(async () => (await fleet.traffic('hms')).devices > 1000);
    const [all, one] = [await campaign(other), await code(other)];
    for (const pushId of [one, all]) await doneAndBalanced(other, pushId, 20_000);
    await fleet.simulator('DELETE', '/faults');
    for (const pushId of stuck) {
      const column = (await doneAndBalanced(slow, pushId, RETURN_MS)).channels['hms'];
      expect(column?.outstanding).toBe(0);
    }
  },
  240_000,
);

const SLOW_PROFILE = { appId: '4711', appSecret: 'sim-secret' };

test('a worker killed within a page of many calls repeats the calls of its open pages at most', async () => {
  const PAGE = 1000;
  const app = await appWith(DEVICES / 10);
  await fleet.service('worker-hms').stop();
  const settings = { MAX_BATCH: '10', SEND_CONCURRENCY: '8', BULK_LOCK_MS: '1500' };
  const worker = await fleet.runWorker('hms', settings);
  await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 20 });
  const pushId = await campaign(app);
  await until(async () => (await fleet.traffic('hms')).devices >= 1500, { everyMs: 10 });
  await worker.stop('SIGKILL');
  await fleet.runWorker('hms', { ...settings, ...WORKER });
  const column = (await doneAndBalanced(app, pushId, 120_000)).channels['hms'];
  expect(column).toMatchObject({ matched: DEVICES / 10, accepted: DEVICES / 10, outstanding: 0 });
  const traffic = await fleet.traffic('hms');
  expect(traffic.distinctDevices).toBe(DEVICES / 10);
  // Eight calls of ten devices are a page at most; one more is read meanwhile.
  expect(traffic.duplicates).toBeLessThanOrEqual(2 * PAGE);
});
