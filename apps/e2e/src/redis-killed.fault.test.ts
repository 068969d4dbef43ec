import { setTimeout as delay } from 'node:timers/promises';
import { until } from '@pushfleet/testing';
import { CALLS_AT_ONCE, faultScene } from './fault-scene';
import { expectBalanced } from './fleet';

const DEVICES = 20_000;
const ROUNDS = 3;
const AWAY_MS = 2000;
const BATCH = 1000;

const scene = faultScene(DEVICES);

test(`a Redis killed ${ROUNDS} times in the middle of a campaign and started again loses nothing (seed ${scene.random.seed})`, async () => {
  const { fleet, app, random } = scene;
  for (let round = 0; round < ROUNDS; round += 1) {
    await fleet.simulator('DELETE', '');
    await fleet.simulator('PUT', '/faults', { channel: 'hms', kind: 'slow', delayMs: 50 });
    const { objectId } = await fleet.push(app, { data: { alert: `round ${round}` } });
    await delay(random.between(0, 200));
    await fleet.redis.kill();
    await delay(AWAY_MS);
    await expect(fleet.push(app, { data: { alert: 'away' } })).rejects.toThrow(/503/);
    await fleet.redis.start();
    const record = await until(() => fleet.done(app, objectId, 1000));
    expectBalanced(record);
    expect(record.channels['hms']).toMatchObject({ matched: DEVICES, accepted: DEVICES, outstanding: 0 });
    const { distinctDevices, duplicates } = await fleet.traffic('hms');
    expect(distinctDevices).toBe(DEVICES);
    expect(duplicates).toBeLessThanOrEqual(CALLS_AT_ONCE * BATCH);
  }
});
