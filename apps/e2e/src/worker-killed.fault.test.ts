import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { faultRounds } from './fault-rounds';
import { expectBalanced, expectTold, Fleet, type DemoApp } from './fleet';
import { faultRandom } from './fault-random';

const DEVICES = 20_000;
const ROUNDS = faultRounds(0.4);
const SEND_CONCURRENCY = 8;
const BATCH = 1000;
const CALL_MS = 25;
/** In every other round the vendor keeps its first calls this long, and the worker dies while it does. */
const HELD_CALL_MS = 5000;
const FEWEST_OF_CALL = 100;
/** A page is one call, or ten of them. */
const WORKERS = [
  { SEND_CONCURRENCY: String(SEND_CONCURRENCY), BULK_LOCK_MS: '1500' },
  { SEND_CONCURRENCY: '64', MAX_BATCH: String(FEWEST_OF_CALL), BULK_LOCK_MS: '1500' },
] as const;
/** Calls of so many devices are in flight, or answered and not folded, at most: eight pages with either. */
const OPEN_DEVICES = SEND_CONCURRENCY * BATCH;

const random = faultRandom();
let fleet: Fleet;
let app: DemoApp;

const slowVendor = (delayMs: number): Promise<unknown> =>
  fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', path: 'messages:send', delayMs });

/** A call of the campaign: that of the addressed push is repeated after a lock of its own. */
const callHeld = (): Promise<boolean> =>
  until(async () => (await fleet.traffic('hms')).devices >= FEWEST_OF_CALL, {
    timeoutMs: 20_000,
  });

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp([]));
  await registerDevices(fleet, app, DEVICES);
});

afterAll(() => fleet.stop());

test(`a worker killed at ${ROUNDS} random moments loses no device, doubles no more than was in flight, and the record adds up (seed ${random.seed})`, async () => {
  const addressed: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const held = round % 2 === 1;
    const settings = WORKERS[Math.floor(round / 2) % 2] ?? WORKERS[0];
    await fleet.simulator('DELETE', '');
    await slowVendor(held ? HELD_CALL_MS : CALL_MS);
    const worker = await fleet.runWorker('hms', settings);
    const { objectId } = await fleet.push(app, { data: { alert: `round ${round}` } });
    const one = await fleet.push(app, { where: { installationId: 'device-7' }, data: { alert: 'one' } });
    addressed.push(one.objectId);
    await (held ? callHeld() : delay(random.between(20, 150)));
    await worker.stop('SIGKILL');
    await slowVendor(CALL_MS);
    const next = await fleet.runWorker('hms', settings);
    const record = await fleet.done(app, objectId);
    const traffic = await fleet.traffic('hms');
    expectBalanced(record);
    await expectTold(fleet, app, record);
    expect(record.channels['hms']).toMatchObject({ matched: DEVICES, accepted: DEVICES, outstanding: 0 });
    expect(traffic.distinctDevices).toBe(DEVICES);
    // The addressed push may have been in flight beside them.
    expect(traffic.duplicates).toBeLessThanOrEqual(OPEN_DEVICES + 1);
    if (held) expect(traffic.duplicates).toBeGreaterThan(0);
    if (round < ROUNDS - 1) await next.stop();
  }
  for (const pushId of addressed) {
    const record = await fleet.done(app, pushId);
    expectBalanced(record);
    await expectTold(fleet, app, record);
    expect(record.channels['hms']).toMatchObject({ matched: 1, accepted: 1, outstanding: 0 });
  }
}, 3_600_000);
