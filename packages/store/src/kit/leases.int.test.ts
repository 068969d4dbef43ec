import { redisHarness, until } from '@pushfleet/testing';
import { storeKeys } from '../store-keys';
import { openLeases, type LeaseStore } from './leases';

const harness = redisHarness();
let leases: LeaseStore;

beforeAll(async () => {
  leases = openLeases({ redis: await harness.open(), keys: storeKeys(harness.namespace) });
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
