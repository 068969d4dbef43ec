import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const ref = { app: 'chess', channel: 'hms', profile: 'game' };
const stored = { value: { appId: '1', appSecret: 's' }, receiptKey: 'k' };

it('a profile is kept until it is removed', async () => {
  await t.store.profiles.put(ref, stored);
  expect(await t.store.profiles.get(ref)).toEqual(stored);
  expect(await t.store.profiles.get({ ...ref, profile: 'other' })).toBeUndefined();
  expect(await t.store.profiles.remove(ref)).toBe(true);
  expect(await t.store.profiles.remove(ref)).toBe(false);
  expect(await t.store.profiles.get(ref)).toBeUndefined();
});

it('names are at most a second old, and not old at all for the process that changed them', async () => {
  const other = t.open();
  expect(await other.profiles.names('chess')).toEqual(new Set());
  await t.store.profiles.names('chess');
  await t.store.profiles.put(ref, stored);
  expect(await t.store.profiles.names('chess')).toEqual(new Set(['hms/game']));
  expect(await other.profiles.names('chess')).toEqual(new Set());
  t.clock.advance(1000);
  expect(await other.profiles.names('chess')).toEqual(new Set(['hms/game']));
});
