import { unique } from '@pushfleet/testing';
import { shardOf, SHARDS } from '../kit/shards';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const DAY = 86_400_000;

const save = async (body: Record<string, string>, objectId?: string) => {
  const saved = await t.store.installations.save({ app: t.app, body, objectId, now: t.clock.now() });
  return saved?.installation.objectId ?? '';
};
const audience = async (bucket: string) =>
  (await t.store.installations.sizes(t.app, bucket)).reduce((all, size) => all + size, 0);
const sweep = (objectId: string, days: { stale: number; dead: number }) =>
  t.store.installations.sweep(t.app, shardOf(objectId), {
    stale: t.clock.now() - days.stale * DAY,
    dead: t.clock.now() - days.dead * DAY,
  });

it('a device not seen for long leaves the audience, stays readable, and is back with its next save', async () => {
  const installationId = unique('i');
  const body = { vendor: 'HMS', registrationId: unique('r'), installationId };
  const objectId = await save(body);
  const [before, shown] = [await audience('hms/_default'), await t.store.installations.get(t.app, objectId)];
  t.clock.advance(31 * DAY);
  expect(await sweep(objectId, { stale: 30, dead: 90 })).toEqual({ stale: 1, removed: 0 });
  expect(await audience('hms/_default')).toBe(before - 1);
  expect(await t.store.installations.get(t.app, objectId)).toEqual(shown);
  expect(await sweep(objectId, { stale: 30, dead: 90 })).toEqual({ stale: 0, removed: 0 });
  expect(await t.store.installations.addressed(t.app, { field: 'objectId', values: [objectId] })).toEqual([]);

  expect(await save({ installationId })).toBe(objectId);
  expect(await audience('hms/_default')).toBe(before);
});

it('a stale device stays out when its registration moves to another', async () => {
  const registrationId = unique('r');
  const objectId = await save({ vendor: 'HMS', registrationId, installationId: unique('i') });
  t.clock.advance(31 * DAY);
  await sweep(objectId, { stale: 30, dead: 90 });
  const before = await audience('unregistered');
  await save({ vendor: 'HMS', registrationId, installationId: unique('i') });
  expect(await audience('unregistered')).toBe(before);
});

it('a device not seen for longer is removed with its look-ups', async () => {
  const installationId = unique('i');
  const objectId = await save({ installationId });
  t.clock.advance(91 * DAY);
  expect((await sweep(objectId, { stale: 30, dead: 90 })).removed).toBeGreaterThanOrEqual(1);
  expect(await t.store.installations.get(t.app, objectId)).toBeUndefined();
  expect(await save({ installationId })).not.toBe(objectId);
});

it('one sweeper at a time', async () => {
  const app = unique('app');
  expect(await t.store.installations.claimSweep(app, 60_000)).toBe(true);
  expect(await t.store.installations.claimSweep(app, 60_000)).toBe(false);
});

it('an empty shard has nothing to sweep', async () => {
  const bounds = { stale: t.clock.now(), dead: 0 };
  expect(await t.store.installations.sweep(unique('app'), SHARDS - 1, bounds)).toEqual({ stale: 0, removed: 0 });
});
