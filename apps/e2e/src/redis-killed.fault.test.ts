import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { registerDevices } from './devices';
import { expectBalanced, Fleet, type DemoApp } from './fleet';
import { faultRandom } from './fault-random';

const DEVICES = 20_000;
const ROUNDS = 3;
const AWAY_MS = 2000;
const SEND_CONCURRENCY = 8;
const BATCH = 1000;

const random = faultRandom();
let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  const sending = { SEND_CONCURRENCY: String(SEND_CONCURRENCY), BULK_LOCK_MS: '1500' };
  fleet = await Fleet.start(['hms'], { ...sending, REDRIVE_AFTER_MS: '1500', REDRIVE_INTERVAL_MS: '300' });
  app = await fleet.createApp();
  await registerDevices(fleet, app, DEVICES);
}, 60_000);

afterAll(() => fleet.stop());

test(`a Redis killed ${ROUNDS} times in the middle of a campaign and started again loses nothing (seed ${random.seed})`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await fleet.simulator('DELETE', '');
    await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 50 });
    const { objectId } = await fleet.push(app, { data: { alert: `round ${round}` } });
    await delay(random.between(0, 200));
    await fleet.redis.kill();
    await delay(AWAY_MS);
    await expect(fleet.push(app, { data: { alert: 'away' } })).rejects.toThrow(/503/);
    await fleet.redis.start();
    const record = await until(() => fleet.done(app, objectId, 1000), { timeoutMs: 30_000 });
    expectBalanced(record);
    expect(record.channels['hms']).toMatchObject({ matched: DEVICES, accepted: DEVICES, outstanding: 0 });
    const { distinctDevices, duplicates } = await fleet.traffic('hms');
    expect(distinctDevices).toBe(DEVICES);
    expect(duplicates).toBeLessThanOrEqual(SEND_CONCURRENCY * BATCH);
  }
}, 120_000);
