import { redisHarness, until } from '@pushfleet/testing';
import { storeKeys } from '../store-keys';
import { openLeases, type LeaseStore } from './leases';
import type { RedisClient } from './redis';

const harness = redisHarness();
let leases: LeaseStore;
let redis: RedisClient;

beforeAll(async () => {
  redis = await harness.open();
  leases = openLeases({ redis, keys: storeKeys(harness.namespace) });
});

test('a lease has one holder, who may renew it', async () => {
  expect(await leases.hold('one', 'a', 5000)).toBe(true);
  expect(await leases.hold('one', 'b', 5000)).toBe(false);
  expect(await leases.hold('one', 'a', 5000)).toBe(true);
  expect(await leases.hold('another', 'b', 5000)).toBe(true);
});

test('a lease that is given back goes to whoever asks next, and nobody gives back that of another', async () => {
  await leases.hold('returned', 'a', 5000);
  await leases.release('returned', 'b');
  expect(await leases.hold('returned', 'b', 5000)).toBe(false);
  await leases.release('returned', 'a');
  expect(await leases.hold('returned', 'b', 5000)).toBe(true);
});

test('a lease that is not renewed ends', async () => {
  await leases.hold('short', 'a', 50);
  await until(() => leases.hold('short', 'b', 5000));
  expect(await leases.hold('short', 'a', 50)).toBe(false);
});

test('a lease of somebody who is gone does not last as long as the clock of Redis was set back', async () => {
  const keys = storeKeys(harness.namespace);
  await leases.hold('left', 'a', 5000);
  await redis.pexpire(keys.lease('left'), 3_600_000);
  expect(await leases.hold('left', 'b', 5000)).toBe(false);
  expect(await redis.pttl(keys.lease('left'))).toBeLessThanOrEqual(5000);
});
