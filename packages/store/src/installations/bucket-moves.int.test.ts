import type { JsonObject } from '@pushfleet/domain';
import { seededRandom, unique } from '@pushfleet/testing';
import type { RedisClient } from '../kit/redis';
import { expectSound } from '../testing/expect-sound';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const { below, pick } = seededRandom(20_261_122);

const ALWAYS = new AbortController().signal;
const GAME = { channel: 'hms', profile: 'game' };

const put = (app: string, profile: typeof GAME) =>
  t.store.profiles.put({ app, ...profile }, { value: {}, receiptKey: 'key' });
const save = (app: string, body: JsonObject, objectId?: string) =>
  t.store.installations.save({ app, body, objectId, now: t.clock.now() });
const device = (deviceProfile: string, more: JsonObject = {}): JsonObject => ({
  ...{ installationId: unique('i'), deviceType: 'android', vendor: 'HMS', registrationId: unique('r'), deviceProfile },
  ...more,
});
const many = async (count: number, make: (i: number) => Promise<unknown>): Promise<void> => {
  for (let i = 0; i < count; i += 1) await make(i);
};
async function sizeOf(app: string, bucket: string, subscriptions?: readonly string[]): Promise<number> {
  return (await t.store.installations.sizes(app, bucket, subscriptions)).reduce((a, b) => a + b, 0);
}

/** Runs what is asked for until nothing is left to do, as the dispatcher does again and again. */
async function moveAll(app: string): Promise<number> {
  let moved = 0;
  for (let round = 0; round < 5; round += 1) {
    const mine = (await t.store.installations.moves.list()).filter((move) => move.app === app);
    for (const move of mine)
      moved += await t.store.installations.moves.run(move, { now: t.clock.now, stopping: ALWAYS });
    t.clock.advance(10_000);
  }
  expect((await t.store.installations.moves.list()).filter((move) => move.app === app)).toEqual([]);
  return moved;
}

/** A connection whose process is killed after so many commands. */
function dying(redis: RedisClient, commands: number): RedisClient {
  let left = commands;
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return (value as (...all: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

test('devices with invented profiles share one bucket of their vendor, others keep their own', async () => {
  const app = unique('app');
  await put(app, GAME);
  await many(60, (i) => save(app, device(`invented${i}`, { channels: ['news'] })));
  await save(app, device('game'));
  await save(app, device(''));
  const names = await t.store.installations.bucketNames(app);
  expect([...names].sort()).toEqual(['hms/*', 'hms/_default', 'hms/game']);
  expect(await sizeOf(app, 'hms/*')).toBe(60);
  expect(await sizeOf(app, 'hms/*', ['news'])).toBe(60);
  await expectSound(t, app);
});

test('a saved profile gets its devices, whoever is killed on the way and whatever is saved meanwhile', async () => {
  const app = unique('app');
  const ids: string[] = [];
  await many(90, async (i) => {
    const saved = await save(app, device(i % 3 === 0 ? 'other' : 'game', { channels: ['news'] }));
    ids.push(saved?.installation.objectId ?? '');
  });
  expect(await sizeOf(app, 'hms/*')).toBe(90);
  await put(app, GAME);
  let kills = 0;
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const store = t.open({ redis: dying(t.redis, 3 + below(60)) });
    const run = async (): Promise<void> => {
      for (const move of await store.installations.moves.list())
        await store.installations.moves.run(move, { now: t.clock.now, stopping: ALWAYS });
    };
    const others = Array.from({ length: 3 }, () =>
      save(app, { deviceProfile: pick(['game', 'other', '']) }, pick(ids)),
    );
    const [outcome] = await Promise.allSettled([run(), ...others]);
    kills += Number(outcome?.status === 'rejected');
  }
  expect(kills).toBeGreaterThan(10);
  await moveAll(app);
  const { results } = await t.store.installations.find({ app, where: {}, limit: 1000, skip: 0, count: false });
  const have = (profile: string): number => results.filter((one) => one['deviceProfile'] === profile).length;
  const buckets = ['hms/game', 'hms/*', 'hms/_default'];
  expect(await Promise.all(buckets.map((bucket) => sizeOf(app, bucket)))).toEqual([
    have('game'),
    have('other'),
    have(''),
  ]);
  expect(await sizeOf(app, 'hms/game', ['news'])).toBe(have('game'));
  expect(have('game') + have('other') + have('')).toBe(90);
  await expectSound(t, app);
});

test('a device that was saved by a process that did not know of the profile yet is found in the end', async () => {
  const app = unique('app');
  const unaware = t.open();
  await put(app, GAME);
  await moveAllNow(app);
  // As if its look at the profiles had come before the profile.
  const saved = await unaware.installations.save({ app, body: device('other'), now: t.clock.now() });
  const objectId = saved?.installation.objectId ?? '';
  await put(app, { channel: 'hms', profile: 'other' });
  await moveAll(app);
  expect(await sizeOf(app, 'hms/other')).toBe(1);
  expect(await t.store.installations.get(app, objectId)).toMatchObject({ deviceProfile: 'other' });
});

test('a mover that does not know of a new index of a column leaves no device behind', async () => {
  const app = unique('app');
  await many(40, () => save(app, device('game', { city: 'Berlin' })));
  const unaware = t.open();
  await unaware.installations.save({ app, body: device('other'), now: t.clock.now() });
  await t.store.installations.columns.declare(app, 'city');
  await t.store.installations.columns.work(app, { now: t.clock.now, settledAt: 0, stopping: ALWAYS });
  await put(app, GAME);
  const [move] = (await unaware.installations.moves.list()).filter((one) => one.app === app);
  if (!move) throw new Error('nothing is to be moved');
  expect(await unaware.installations.moves.run(move, { now: t.clock.now, stopping: ALWAYS })).toBe(40);
  expect([await sizeOf(app, 'hms/game'), await sizeOf(app, 'hms/*')]).toEqual([40, 1]);
});

async function moveAllNow(app: string): Promise<void> {
  for (const move of await t.store.installations.moves.list())
    if (move.app === app) await t.store.installations.moves.run(move, { now: t.clock.now, stopping: ALWAYS });
}

test('a profile that is deleted leaves its bucket, and finds its devices when it comes again', async () => {
  const app = unique('app');
  await put(app, GAME);
  const [stays, saves] = [await save(app, device('game')), await save(app, device('game'))];
  expect(stays).toBeDefined();
  await t.store.profiles.remove({ app, ...GAME });
  await t.store.installations.moves.requestMerges(app, t.clock.now());
  await moveAll(app);
  expect([await sizeOf(app, 'hms/game'), await sizeOf(app, 'hms/*')]).toEqual([2, 0]);
  await save(app, { timeZone: 'UTC' }, saves?.installation.objectId);
  expect([await sizeOf(app, 'hms/game'), await sizeOf(app, 'hms/*')]).toEqual([1, 1]);
  await put(app, GAME);
  await moveAll(app);
  expect([await sizeOf(app, 'hms/game'), await sizeOf(app, 'hms/*')]).toEqual([2, 0]);
});

test('buckets that an earlier release made of invented names become one, and lose their names', async () => {
  const app = unique('app');
  const names = Array.from({ length: 30 }, (_, i) => `invented${i}`);
  // A profile of each name makes the devices stand as that release put them.
  for (const name of names) await put(app, { channel: 'hms', profile: name });
  for (const name of names) await save(app, device(name, { channels: ['news'] }));
  await put(app, GAME);
  await save(app, device('game'));
  await t.redis.hdel(t.keys.profiles(app), ...names.map((name) => `hms/${name}`));
  await t.redis.srem(t.keys.profileBuckets(app), ...names.map((name) => `hms/${name}`));
  await moveAll(app);
  expect(await t.store.installations.bucketNames(app)).toHaveLength(names.length + 1);

  const store = t.open();
  await store.installations.moves.requestMerges(app, t.clock.now());
  expect(await moveAll(app)).toBe(names.length);
  expect([...(await t.store.installations.bucketNames(app))].sort()).toEqual(['hms/*', 'hms/game']);
  expect([await sizeOf(app, 'hms/*'), await sizeOf(app, 'hms/*', ['news'])]).toEqual([30, 30]);
  await expectSound(t, app);
});
