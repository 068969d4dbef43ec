import { unique, until } from '@pushfleet/testing';
import { shardOf, SHARDS } from '../kit/shards';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const DAY = 86_400_000;

/** One for each test: a sweep of a shard finds every device in it. */
let app: string;
beforeEach(() => {
  app = unique('app');
});

const save = async (body: Record<string, string>, objectId?: string) => {
  const saved = await t.store.installations.save({ app: app, body, objectId, now: t.clock.now() });
  return saved?.installation.objectId ?? '';
};
const audience = async (bucket: string) =>
  (await t.store.installations.sizes(app, bucket)).reduce((all, size) => all + size, 0);
const sweep = (objectId: string, days: { stale: number; dead: number; ending?: number }) =>
  t.store.installations.sweep(app, shardOf(objectId), {
    stale: t.clock.now() - days.stale * DAY,
    dead: t.clock.now() - days.dead * DAY,
    ending: t.clock.now() - (days.ending ?? days.dead) * DAY,
  });

it('a device not seen for long leaves the audience, stays readable, and is back with its next save', async () => {
  const installationId = unique('i');
  const body = { vendor: 'HMS', registrationId: unique('r'), installationId };
  const objectId = await save(body);
  const [before, shown] = [await audience('hms/_default'), await t.store.installations.get(app, objectId)];
  t.clock.advance(31 * DAY);
  expect(await sweep(objectId, { stale: 30, dead: 90 })).toEqual({ stale: 1, removed: 0, kept: 1, ending: 0 });
  expect(await audience('hms/_default')).toBe(before - 1);
  expect(await t.store.installations.get(app, objectId)).toEqual(shown);
  expect(await sweep(objectId, { stale: 30, dead: 90 })).toEqual({ stale: 0, removed: 0, kept: 1, ending: 0 });
  expect(await t.store.installations.addressed(app, { field: 'objectId', values: [objectId] })).toEqual([]);

  expect(await save({ installationId })).toBe(objectId);
  expect(await audience('hms/_default')).toBe(before);
});

it('a sweeper that does not know of a new index of a column takes out whom it finds', async () => {
  const unaware = t.open();
  const body = { vendor: 'HMS', registrationId: unique('r'), installationId: unique('i') };
  const saved = await unaware.installations.save({ app, body, now: t.clock.now() });
  await t.store.installations.columns.declare(app, 'city');
  const times = { now: t.clock.now, settledAt: 0, stopping: new AbortController().signal };
  await t.store.installations.columns.work(app, times);
  const bounds = { stale: t.clock.now() + 1, dead: 0, ending: 0 };
  const shard = shardOf(saved?.installation.objectId ?? '');
  expect(await unaware.installations.sweep(app, shard, bounds)).toMatchObject({ stale: 1, kept: 1 });
  expect((await t.store.installations.sizes(app, 'hms/_default')).every((size) => size === 0)).toBe(true);
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
  expect(await sweep(objectId, { stale: 30, dead: 90 })).toEqual({ stale: 0, removed: 1, kept: 0, ending: 0 });
  expect(await t.store.installations.get(app, objectId)).toBeUndefined();
  expect(await save({ installationId })).not.toBe(objectId);
});

it('an app that was swept counts as that for a while', async () => {
  const { isSwept, noteSwept } = t.store.installations;
  expect(await isSwept(app)).toBe(false);
  await noteSwept(app, 60_000);
  expect(await isSwept(app)).toBe(true);
  await noteSwept(app, 1);
  await until(async () => !(await isSwept(app)));
});

it('an empty shard has nothing to sweep', async () => {
  const bounds = { stale: t.clock.now(), dead: 0, ending: 0 };
  expect(await t.store.installations.sweep(unique('app'), SHARDS - 1, bounds)).toEqual({
    stale: 0,
    removed: 0,
    kept: 0,
    ending: 0,
  });
});

it('one that was stale when it was imported is no target, and is kept as long as one that was seen then', async () => {
  const [objectId, installationId] = [unique('o'), unique('i')];
  const updatedAt = new Date(t.clock.now() - 300 * DAY).toISOString();
  const doc = {
    installationId,
    deviceType: 'android',
    vendor: 'HMS',
    registrationId: unique('r'),
    createdAt: updatedAt,
    updatedAt,
  };
  const times = { now: t.clock.now(), staleBefore: t.clock.now() - 30 * DAY };
  expect(await t.store.installations.import(app, [{ objectId, doc }], times)).toEqual(['created']);
  const days = { stale: 30, dead: 90, ending: 60 };
  const found = async () => {
    const { removed, ending } = await sweep(objectId, days);
    const stored = await t.store.installations.get(app, objectId);
    return { removed, ending, stored };
  };
  const stored = { objectId, valid: true, ...doc };
  expect(await found()).toEqual({ removed: 0, ending: 0, stored });
  t.clock.advance(61 * DAY);
  expect(await found()).toEqual({ removed: 0, ending: 1, stored });
  t.clock.advance(30 * DAY);
  expect((await found()).stored).toBeUndefined();
});

it('an imported one that saved itself counts from its save', async () => {
  const objectId = unique('o');
  const updatedAt = new Date(t.clock.now() - 300 * DAY).toISOString();
  const doc = { installationId: unique('i'), deviceType: 'android', createdAt: updatedAt, updatedAt };
  const times = { now: t.clock.now() + 50 * DAY, staleBefore: t.clock.now() };
  await t.store.installations.import(app, [{ objectId, doc }], times);
  await save({ city: 'Berlin' }, objectId);
  t.clock.advance(91 * DAY);
  await sweep(objectId, { stale: 30, dead: 90 });
  expect(await t.store.installations.get(app, objectId)).toBeUndefined();
});

it('what sweeps found of every app is summed up, and counted anew by the next', async () => {
  const { installations } = t.open();
  const before = await installations.unseen();
  const [one, other] = [unique('app'), unique('app')];
  await installations.noteUnseen(one, { kept: 5, ending: 2 });
  await installations.noteUnseen(other, { kept: 1, ending: 1 });
  await installations.noteUnseen(one, { kept: 4, ending: 0 });
  expect(await installations.unseen()).toEqual({ kept: before.kept + 5, ending: before.ending + 1 });
});
