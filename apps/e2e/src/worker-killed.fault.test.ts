import { setTimeout as delay } from 'node:timers/promises';
import { registerDevices } from './devices';
import { faultRounds } from './fault-rounds';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { faultRandom } from './fault-random';

const DEVICES = 20_000;
const ROUNDS = faultRounds(0.4);
/** With so many, one must have met a call in flight; with fewer, chance may have it otherwise. */
const TELLING_ROUNDS = 8;
const SEND_CONCURRENCY = 8;
const BATCH = 1000;
/** A vendor call takes this long, so that kills meet calls in flight. */
const CALL_MS = 25;
const WORKER = { SEND_CONCURRENCY: String(SEND_CONCURRENCY), BULK_LOCK_MS: '1500' };

const random = faultRandom();
let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  fleet = await Fleet.start([]);
  app = await fleet.createApp();
  await registerDevices(fleet, app, DEVICES);
}, 120_000);

afterAll(() => fleet.stop());

test(`a worker killed at ${ROUNDS} random moments loses no device, doubles no more than was in flight, and the record adds up (seed ${random.seed})`, async () => {
  const duplicates: number[] = [];
  const addressed: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await fleet.simulator('DELETE', '');
    await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: CALL_MS });
    const worker = await fleet.runWorker('hms', WORKER);
    const { objectId } = await fleet.push(app, { data: { alert: `round ${round}` } });
    const one = await fleet.push(app, { where: { installationId: 'device-7' }, data: { alert: 'one' } });
    addressed.push(one.objectId);
    await delay(random.between(20, 150));
    await worker.stop('SIGKILL');
    const next = await fleet.runWorker('hms', WORKER);
    const record = await fleet.done(app, objectId, 30_000);
    const traffic = await fleet.traffic('hms');
    if (round < ROUNDS - 1) await next.stop();
    expectBalanced(record);
    expect(record.channels['hms']).toMatchObject({ matched: DEVICES, accepted: DEVICES, outstanding: 0 });
    expect(traffic.distinctDevices).toBe(DEVICES);
    expect(traffic.duplicates).toBeLessThanOrEqual(SEND_CONCURRENCY * BATCH);
    duplicates.push(traffic.duplicates);
  }
  for (const pushId of addressed) {
    const record = await fleet.done(app, pushId, 30_000);
    expectBalanced(record);
    expect(record.channels['hms']).toMatchObject({ matched: 1, accepted: 1, outstanding: 0 });
  }
  if (ROUNDS >= TELLING_ROUNDS) expect(Math.max(...duplicates)).toBeGreaterThan(0);
}, 3_600_000);
