import { audienceOf, LIMITS, parseWhere, type Audience, type Json, type JsonObject } from '@pushfleet/domain';
import { keysIn, seededRandom, unique } from '@pushfleet/testing';
import { SHARDS, shardOf } from '../../kit/shards';
import type { Store } from '../../open-store';
import { audienceScene } from '../../testing/audience-scene';
import { jittered } from '../../testing/jittered';
import { mortal } from '../../testing/mortal';
import { storeUnderTest } from '../../testing/store-under-test';
import { INDEXED_VALUE_BYTES } from '../ceiling/bytes-of';
import { KEPT_FOR_MS } from './remove-column';

const t = storeUnderTest();
const seed = Number(process.env['SEED'] ?? 20_261_123);
const rounds = Number(process.env['ROUNDS'] ?? 1);
const random = seededRandom(seed);
const { below, pick } = random;
const never = new AbortController().signal;
const TRUST_MS = 1100;

const LONG = 'long '.repeat(100);
/** Half a character, as JSON may hold it and Redis may not. */
const HALF = 'cut \ud83d';
const OWNERS = ['a', 'b'].map((objectId): Json => ({ __type: 'Pointer', className: '_User', objectId }));
const TAGS = Array.from({ length: LIMITS.indexedItems.value + 1 }, (_, i) => `tag${i}`);
const VALUES: Readonly<Record<string, () => Json>> = {
  user: () => pick(['ann', 'bob', 'new york', 'new', LONG, 'a\nb', '中', HALF]),
  level: () => pick<Json>([0, 1, -2, 1.5, '1']),
  vip: () => below(2) === 0,
  owner: () => pick(OWNERS),
  tags: () => pick<Json>([[], ['red'], ['red', 7, 'blue'], 'red', TAGS]),
};
const COLUMNS = Object.keys(VALUES);

const aDoc = (): JsonObject =>
  Object.fromEntries(Object.entries(VALUES).flatMap(([column, value]) => (below(4) === 0 ? [] : [[column, value()]])));

const { walked, narrowed, changing, dyingSavers, expectKilled } = audienceScene(t, {
  random,
  fields: () => ({ channels: below(2) === 0 ? ['news'] : [], ...aDoc() }),
  laterSaves: [aDoc, () => ({ user: { __op: 'Delete' } })],
});

const noteFleet = (isFresh = true): Promise<number> =>
  t.store.installations.channels.noteFleet({ now: t.clock.now(), isFresh: () => Promise.resolve(isFresh) });

const saved = (app: string, body: JsonObject, store = t.store) =>
  store.installations.save({ app, body: { deviceType: 'android', ...body }, now: t.clock.now() });

/** Time goes by, with this version there all along. */
async function elapse(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 300_000) {
    t.clock.advance(Math.min(left, 300_000));
    await noteFleet();
  }
}

async function work(app: string, store = t.open()): Promise<number> {
  const channels = { now: t.clock.now, settledAt: await noteFleet(), stopping: never };
  await t.store.installations.channels.check(app, channels);
  const settledAt = await t.store.installations.channels.columnsSettledAt();
  return store.installations.columns.work(app, { now: t.clock.now, settledAt, stopping: never });
}

async function declared(app: string, columns: readonly string[] = COLUMNS): Promise<void> {
  for (const column of columns)
    expect(['declared', 'known']).toContain(await t.store.installations.columns.declare(app, column));
}

const statuses = async (app: string) => {
  const found = await t.store.installations.columns.of(app);
  return Object.fromEntries(found.map(({ column, status }) => [column, status]));
};
const READY = Object.fromEntries(COLUMNS.map((column) => [column, 'ready']));

const AUDIENCES: readonly Audience[] = [
  ...['ann', 'new', 'new york', LONG, 'a\nb', HALF, 'cut \ufffd', 'nobody'].map((user): JsonObject => ({ user })),
  ...[0, 1, '1', 1.5].map((level): JsonObject => ({ level })),
  ...[{ vip: true }, { owner: OWNERS[0] ?? null }, { tags: 'red' }, { tags: 7 }, { tags: 'tag100' }],
  { user: { $in: ['ann', 'bob', 'nobody'] }, level: { $gt: 0 } },
  { user: { $in: [] } },
  { tags: { $all: ['red', 7] }, vip: false },
  { $or: [{ user: 'ann' }, { level: { $in: [0, 1] }, vip: true }, { channels: 'news' }] },
  { $and: [{ user: 'bob' }, { $or: [{ vip: true }, { tags: 'blue' }] }] },
].map((where) => audienceOf(parseWhere(where), undefined));

async function expectExact(app: string): Promise<void> {
  const both = audienceOf({ vip: true }, ['news']);
  for (const audience of [...AUDIENCES, both])
    expect([audience, await narrowed(app, audience)]).toEqual([audience, await walked(app, audience)]);
}

describe('the index of a column', () => {
  it('finds whom a walk finds, built among saves whose processes know it or not, however often anybody is killed', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const app = unique('app');
      // They have asked for the columns of the app before there were any.
      const [unaware, late] = [t.open(), t.open({ redis: jittered(t.redis, () => below(4)) })];
      await changing(app, unaware)(40);
      await changing(app, late)(1);
      await declared(app);
      const changes = Promise.all([changing(app, unaware)(40), changing(app, late)(40), dyingSavers(app, 15)]);
      for (let isOver = false; !isOver;) {
        await work(app, t.open({ redis: mortal(t.redis, below(900)) })).catch(expectKilled);
        isOver = Object.values(await statuses(app)).every((status) => status === 'ready');
      }
      await changes;
      t.clock.advance(TRUST_MS);
      await expectExact(app);
      await changing(app, unaware)(20);
      await expectExact(app);
      await elapse(86_400_000);
      await work(app);
      await expectExact(app);
    }
  });

  it('is not used before it is whole, and names nobody when nobody has the value', async () => {
    const app = unique('app');
    await saved(app, { user: 'ann' });
    const audience = audienceOf({ user: 'nobody' }, undefined);
    expect(await t.store.installations.channels.narrow(app, audience)).toBeUndefined();
    await declared(app, ['user']);
    expect(await statuses(app)).toEqual({ user: 'building' });
    t.clock.advance(TRUST_MS);
    expect(await t.store.installations.channels.narrow(app, audience)).toBeUndefined();
    expect(await work(app)).toBeGreaterThan(0);
    t.clock.advance(TRUST_MS);
    expect(await t.store.installations.channels.narrow(app, audience)).toMatchObject({ shards: 0, walks: [] });
    expect(await narrowed(app, audience)).toEqual([]);
  });

  it('answers for a value of the column, and for no channel that is called like it', async () => {
    const app = unique('app');
    await saved(app, { user: 'ann' });
    await declared(app, ['user']);
    await work(app);
    expect(await narrowed(app, audienceOf({ user: 'ann' }, undefined))).toHaveLength(1);
    for (const audience of [
      audienceOf({}, ['$user=sann']),
      audienceOf({ channels: { $all: ['$user=sann'] } }, undefined),
    ])
      expect(await narrowed(app, audience)).toBeUndefined();
  });

  it('is made anew after a check that found entries missing, and believed after one that found none', async () => {
    const app = unique('app');
    await changing(app, t.store)(30);
    await saved(app, { vip: true });
    await declared(app, ['vip']);
    await work(app);
    await Promise.all(Array.from({ length: SHARDS }, (_, shard) => t.redis.del(t.keys.column(app, shard, 'vip'))));
    await elapse(86_400_000);
    expect(await work(app)).toBeGreaterThan(0);
    expect(await statuses(app)).toEqual({ vip: 'building' });
    await elapse(900_000);
    expect(await work(app)).toBe(0);
    expect(await statuses(app)).toEqual({ vip: 'ready' });
    t.clock.advance(TRUST_MS);
    const audience = audienceOf({ vip: true }, undefined);
    expect(await narrowed(app, audience)).toEqual(await walked(app, audience));
  });

  it('waits for processes of an earlier version to be gone', async () => {
    const app = unique('app');
    await t.redis.del(t.keys.channelIndexes());
    await noteFleet(false);
    await declared(app, ['user']);
    const settledAt = await t.store.installations.channels.columnsSettledAt();
    expect(settledAt).toBeGreaterThan(t.clock.now());
    await t.store.installations.columns.work(app, { now: t.clock.now, settledAt, stopping: never });
    expect(await statuses(app)).toEqual({ user: 'building' });
    await t.redis.del(t.keys.channelIndexes());
  });

  it('goes with all that it had, and may be made again', async () => {
    const app = unique('app');
    const store = t.open();
    await changing(app, store)(30);
    await declared(app);
    await work(app);
    const { columns } = t.store.installations;
    for (const column of COLUMNS) expect(await columns.remove(app, column)).toBe(true);
    expect(await columns.remove(app, 'unheard')).toBe(false);
    expect(await columns.declare(app, 'user')).toBe('removing');
    t.clock.advance(TRUST_MS);
    expect(await narrowed(app, { predicate: { user: 'ann' } })).toBeUndefined();
    await work(app);
    expect(Object.values(await statuses(app))).toEqual(COLUMNS.map(() => 'removing'));
    t.clock.advance(KEPT_FOR_MS);
    const changes = changing(app, store)(30);
    while (Object.keys(await statuses(app)).length > 0)
      await work(app, t.open({ redis: mortal(t.redis, below(900)) })).catch(expectKilled);
    await changes;
    expect(await keysIn(t.redis, `${t.keys.namespace}:i:{${app}:*}:v:*`)).toEqual([]);
    await declared(app);
    await changing(app, store)(30);
    await work(app);
    expect(await statuses(app)).toEqual(READY);
    t.clock.advance(TRUST_MS);
    await expectExact(app);
  });

  it('is one of a bounded number', async () => {
    const app = unique('app');
    const most = Array.from({ length: LIMITS.columnIndexes.value }, (_, i) => `c${i}`);
    await declared(app, most);
    expect(await t.store.installations.columns.declare(app, 'one_more')).toBe('full');
    expect(await t.store.installations.columns.declare(app, 'c0')).toBe('known');
  });

  it('does not keep devices from being saved when Redis has lost that it was wanted', async () => {
    const app = unique('app');
    const save = (store: Store, body: JsonObject, objectId?: string) =>
      store.installations.save({ app, objectId, body: { deviceType: 'android', ...body }, now: t.clock.now() });
    const saved = await save(t.store, { user: 'ann' });
    const id = saved?.installation.objectId ?? '';
    await declared(app, ['user']);
    await work(app);
    await t.redis.hdel(t.keys.columnIndexes(), `${app} columns`);
    expect(Number(await t.redis.get(t.keys.columnStamp(app, shardOf(id))))).toBeGreaterThan(0);
    for (const store of [t.open(), t.store])
      expect((await save(store, { user: 'bob' }, id))?.installation).toMatchObject({ user: 'bob' });
    await declared(app, ['user']);
    await work(app);
    t.clock.advance(TRUST_MS);
    expect(await narrowed(app, { predicate: { user: 'bob' } })).toHaveLength(1);
    expect(await narrowed(app, { predicate: { user: 'ann' } })).toEqual([]);
  });
});

test('what the values of an index take counts for the ceiling of the app while they are there', async () => {
  const app = unique('app');
  const bytes = async (): Promise<number> => (await t.store.installations.room(app)).bytes;
  const ids = ['x', 'y'].map((user) => ({ user, tags: TAGS.slice(1) }));
  for (const body of ids) await saved(app, body);
  const plain = await bytes();
  await declared(app, ['tags']);
  await noteFleet();
  while ((await statuses(app))['tags'] !== 'ready') await work(app);
  expect(await bytes()).toBe(plain + 2 * LIMITS.indexedItems.value * INDEXED_VALUE_BYTES);
  const late = await saved(app, { tags: ['red'] });
  const before = await bytes();
  await t.store.installations.remove(app, late?.installation.objectId ?? '');
  expect(before - (await bytes())).toBeGreaterThan(INDEXED_VALUE_BYTES);
  await t.store.installations.columns.remove(app, 'tags');
  await elapse(KEPT_FOR_MS);
  await work(app);
  expect(await bytes()).toBe(plain);
});
