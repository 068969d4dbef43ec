import {
  anApp,
  countCommands,
  keysIn,
  mastersOf,
  seededRandom,
  startRedisServer,
  unique,
  until,
} from '@pushfleet/testing';
import { storeKeys } from '../store-keys';
import { openStore, type Store } from '../open-store';
import { openRedis, type RedisClient } from '../kit/redis';
import { fillApp } from '../testing/fill-app';
import { storeUnderTest, VENDORS } from '../testing/store-under-test';
import { familyOf } from './key-families';

const t = storeUnderTest();
const never = new AbortController().signal;
const SETTLED = { settleMs: 0 };
const fail = (error: unknown): never => {
  throw error;
};
const NOBODY = {
  onPushes: async () => undefined,
  onUnreadable: (_: string, error: unknown) => fail(error),
  attempt: (_: string, work: () => Promise<void>) => work(),
};

/** Everything that stands in the namespace of a fleet, as lines that tell of no time. */
/** The totals of all pushes name no app, and stay. */
async function linesIn(redis: RedisClient, namespace: string): Promise<readonly string[]> {
  const keys = (await keysIn(redis, `${namespace}:*`)).filter((key) => !key.endsWith(':totals'));
  const lines = await Promise.all(keys.map((key) => linesOf(redis, key)));
  return lines.flat().sort();
}

async function linesOf(redis: RedisClient, key: string): Promise<readonly string[]> {
  const type = await redis.type(key);
  if (type === 'hash') return Object.entries(await redis.hgetall(key)).map((entry) => [key, ...entry].join(' '));
  if (type === 'set') return (await redis.smembers(key)).map((member) => `${key} ${member}`);
  if (type === 'zset') return (await redis.zrange(key, '0', '-1')).map((member) => `${key} ${member}`);
  if (type === 'list') return (await redis.lrange(key, '0', '-1')).map((member) => `${key} ${member}`);
  return type === 'none' ? [] : [`${key} ${String(await redis.get(key))}`];
}

/** A fleet of its own with two apps that have everything. */
async function twoApps() {
  const namespace = unique(t.keys.namespace);
  const store = t.open({ namespace });
  const place = { store, keys: storeKeys(namespace), now: t.clock.now };
  const [mine, other] = [anApp(), anApp()];
  await store.apps.create(other);
  await fillApp(place, other.id);
  const before = await linesIn(t.redis, namespace);
  await store.apps.create(mine);
  const pushes = await fillApp(place, mine.id);
  return { namespace, store, place, mine, other, before, pushes, open: () => t.open({ namespace }) };
}

/** As often as somebody is there to go on. */
async function purged(store: Store, app: string): Promise<void> {
  await until(async () => {
    await store.purges.run([app], { stopping: never, ...SETTLED, ...NOBODY });
    return (await store.purges.get(app)) === undefined;
  });
}

const mentions = (lines: readonly string[], texts: readonly string[]): readonly string[] =>
  lines.filter((line) => texts.some((text) => line.includes(text)));

describe('a deleted app', () => {
  it('leaves nothing behind, and takes nothing of another', async () => {
    const { namespace, store, mine, before, pushes } = await twoApps();
    expect(mentions(await linesIn(t.redis, namespace), [mine.id, ...pushes]).length).toBeGreaterThan(50);
    await store.apps.remove(mine.id);
    const removed: string[] = [];
    const onPushes = async (ids: readonly string[]) => void removed.push(...ids);
    await until(
      async () => (await store.purges.run([mine.id], { stopping: never, ...SETTLED, ...NOBODY, onPushes })).length > 0,
    );
    expect(removed.sort()).toEqual([...pushes].sort());
    expect(await linesIn(t.redis, namespace)).toEqual(before);
  });

  it('takes along what waits on the own channel though the records of its pushes went before', async () => {
    const { namespace, store, place, mine, pushes } = await twoApps();
    const texts = pushes.map((pushId) => place.keys.ownMessage(pushId));
    const kept = async () =>
      (await Promise.all(texts.map((text) => t.redis.exists(text)))).filter((found) => found === 1);
    expect((await kept()).length).toBeGreaterThan(0);
    await Promise.all(pushes.map((pushId) => t.redis.unlink(place.keys.pushRecord(pushId))));
    await store.apps.remove(mine.id);
    await purged(store, mine.id);
    expect(await kept()).toEqual([]);
    expect(mentions(await linesIn(t.redis, namespace), [mine.id])).toEqual([]);
  });

  it('is all of it gone whenever its deletion is cut off, and whoever goes on', async () => {
    const { namespace, store, mine, before, open } = await twoApps();
    await store.apps.remove(mine.id);
    const random = seededRandom(7);
    for (let round = 0; round < 25 && (await store.purges.get(mine.id)); round += 1) {
      const cut = new AbortController();
      const timer = setTimeout(() => cut.abort(), random.below(80));
      await open().purges.run([mine.id], { stopping: cut.signal, ...SETTLED, ...NOBODY });
      clearTimeout(timer);
    }
    await purged(open(), mine.id);
    expect(await linesIn(t.redis, namespace)).toEqual(before);
  });

  it('is all of it gone though nobody can read a record, or how far its deletion was', async () => {
    const { namespace, store, place, mine, before } = await twoApps();
    const [record = ''] = await keysIn(t.redis, `${namespace}:*${mine.id}*:rec`);
    const [objectId = ''] = await t.redis.hkeys(record);
    const [bucket] = (await t.redis.hget(record, objectId))?.split('\n') ?? [];
    await t.redis.hset(record, objectId, `${bucket}\n{`);
    await t.redis.hset(record, 'no-object', `${bucket}\nnull`);
    await store.apps.remove(mine.id);
    const told: unknown[] = [];
    const run = {
      stopping: never,
      ...SETTLED,
      ...NOBODY,
      onUnreadable: (_: string, error: unknown) => void told.push(error),
    };
    for (const text of ['{', '{"step":"afterwards"}']) {
      await t.redis.hset(place.keys.purges(), mine.id, text);
      const cut = AbortSignal.abort();
      expect(await store.purges.run([mine.id], { ...run, stopping: cut })).toEqual([]);
      expect(await store.purges.get(mine.id)).toMatchObject({ pass: 1, step: 'pushes' });
    }
    expect(told.map(String)).toEqual(Array(2).fill(expect.stringContaining(mine.id)));
    await until(async () => (await store.purges.run([mine.id], run)).length > 0);
    expect(told).toHaveLength(2);
    expect(await linesIn(t.redis, namespace)).toEqual(before);
  });

  it('cannot be made anew before the end, and then has nothing of the old owner', async () => {
    const { store, place, mine } = await twoApps();
    expect(await store.apps.remove(mine.id)).toBe(true);
    expect(await store.apps.get(mine.id)).toBeUndefined();
    expect(await store.apps.create(mine)).toBe(false);
    expect(await store.purges.get(mine.id)).toMatchObject({ step: 'pushes', removed: { pushes: 0 } });
    expect([...(await store.purges.list()).keys()]).toContain(mine.id);
    await purged(store, mine.id);
    expect(await store.purges.get(mine.id)).toBeUndefined();
    expect(await store.apps.create(mine)).toBe(true);
    expect(await store.installations.count(mine.id)).toBe(0);
    expect(await store.pushes.list(mine.id, { limit: 10, skip: 0 })).toEqual([]);
    expect(await store.pushes.find(mine.id, 'note1')).toEqual([]);
    expect((await store.pacing.controls.list('hms')).filter(({ app }) => app === mine.id)).toEqual([]);
    await fillApp(place, mine.id);
    expect(await store.installations.count(mine.id)).toBe(12);
  });

  it('takes along what came from who had not heard of it', async () => {
    const { namespace, store, place, mine, before } = await twoApps();
    await store.apps.remove(mine.id);
    const run = { stopping: never, settleMs: 1000, ...NOBODY };
    expect(await store.purges.run([mine.id], run)).toEqual([]);
    await fillApp(place, mine.id);
    expect(await store.purges.run([mine.id], run)).toEqual([]);
    t.clock.advance(1000);
    await until(async () => (await store.purges.run([mine.id], run)).length > 0);
    expect(mentions(await linesIn(t.redis, namespace), [mine.id])).toEqual([]);
    expect((await linesIn(t.redis, namespace)).length).toBe(before.length);
  });

  it('is no app to work for: folds and plans of its pushes are refused without an error', async () => {
    const { store, mine, pushes } = await twoApps();
    await store.apps.remove(mine.id);
    await purged(store, mine.id);
    for (const pushId of pushes) {
      expect(await store.pushes.toSend(pushId)).toBeUndefined();
      expect(await store.ledger.plan({ pushId, lanes: [], pages: [], books: [], now: t.clock.now() })).toBe(false);
      expect(await store.pushes.cancel(pushId, t.clock.now())).toBe(false);
    }
  });
});

describe('apps that are deleted together', () => {
  /** A fleet of its own, with apps that have a device each. */
  async function fleetOf(count: number, devices = 1) {
    const namespace = unique(t.keys.namespace);
    const [store, keys] = [t.open({ namespace }), storeKeys(namespace)];
    const apps = Array.from({ length: count }, () => anApp());
    for (const app of apps) {
      await store.apps.create(app);
      await fillApp({ store, keys, now: t.clock.now }, app.id, devices);
      await store.apps.remove(app.id);
    }
    return { namespace, store, keys, apps: apps.map(({ id }) => id) };
  }
  const run = { stopping: never, ...SETTLED, ...NOBODY };

  it('have what is of all apps gone through once, and shards without anything passed over', async () => {
    const sent = async (count: number): Promise<ReadonlyMap<string, number>> => {
      const { namespace, store, apps } = await fleetOf(count);
      const counter = await countCommands(t.redis, namespace);
      const names = await counter.during(() => store.purges.run(apps, run));
      counter.close();
      const counts = new Map<string, number>();
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      return counts;
    };
    const [one, four] = [await sent(1), await sent(4)];
    expect([four.get('zrange'), four.get('lrange')]).toEqual([one.get('zrange'), one.get('lrange')]);
    // A device, and its id: what is found by either stands in one shard each.
    expect(one.get('hlen')).toBeLessThanOrEqual(2 * 4);
    // Scans go through what other tests have beside it, too, and behind each the deletion is asked for.
    const total = [...one].reduce((sum, [name, count]) => (name === 'scan' ? sum - count : sum + count), 0);
    expect(total - 256 * 4).toBeLessThan(256);
  });

  it('end with a pass that finds nothing, and with no other', async () => {
    const { store, apps } = await fleetOf(2);
    expect(await store.purges.run(apps, run)).toEqual([]);
    expect(await Promise.all(apps.map((app) => store.purges.get(app)))).toEqual([
      expect.objectContaining({ pass: 2, step: 'pushes', found: 0 }),
      expect.objectContaining({ pass: 2, step: 'pushes', found: 0 }),
    ]);
    expect(await store.purges.run(apps, run)).toEqual(apps);
  });

  it('end each for itself, and one that cannot be read ends later', async () => {
    const { namespace, store, keys, apps } = await fleetOf(3);
    const [spoilt = '', ...sound] = apps;
    await t.redis.del(keys.records(spoilt, 7));
    await t.redis.set(keys.records(spoilt, 7), 'no hash');
    const failed = new Set<string>();
    const attempt = async (app: string, work: () => Promise<void>) => work().catch(() => void failed.add(app));
    const gone = new Set<string>();
    await until(async () => {
      for (const app of await store.purges.run(apps, { ...run, attempt })) gone.add(app);
      return gone.size === sound.length;
    });
    expect([[...failed], [...gone].sort()]).toEqual([[spoilt], [...sound].sort()]);
    expect(await store.purges.get(spoilt)).toMatchObject({ pass: 1, step: 'installations' });
    await t.redis.del(keys.records(spoilt, 7));
    await purged(store, spoilt);
    expect(mentions(await linesIn(t.redis, namespace), apps)).toEqual([]);
  });

  it('do not wait for the end of a large one: it goes on with the next round', async () => {
    const { namespace, store, apps } = await fleetOf(2, 6);
    const [large = '', small = ''] = apps;
    await until(async () => (await store.purges.run([small], run)).length > 0);
    await store.purges.run([large], { ...run, turnMs: 0 });
    const begun = await store.purges.get(large);
    expect(begun).toMatchObject({ pass: 1, step: 'installations' });
    expect(begun?.done).toBeLessThan(256);
    await until(async () => (await store.purges.run([large], { ...run, turnMs: 0 })).length > 0);
    expect(mentions(await linesIn(t.redis, namespace), apps)).toEqual([]);
  });

  it('are left alone one by one, where another process has ended a deletion and its id has a new owner', async () => {
    const { namespace, store, apps } = await fleetOf(2);
    const [ended = '', other = ''] = apps;
    let isCreated = false;
    const onPushes = async () => {
      if (isCreated) return;
      isCreated = true;
      await purged(t.open({ namespace }), ended);
      await store.apps.create({ ...anApp(), id: ended });
      await store.installations.save({
        app: ended,
        body: { deviceType: 'android', installationId: unique('i') },
        now: t.clock.now(),
      });
    };
    await store.purges.run([ended, other], { ...run, onPushes });
    expect(await store.installations.count(ended)).toBe(1);
    await purged(store, other);
    expect([await store.purges.get(other), await store.installations.count(ended)]).toEqual([undefined, 1]);
  });
});

it('every key of a fleet that did everything is declared', async () => {
  const { namespace, store } = await twoApps();
  await store.users.put({ user_id: 'u', name: 'n', avatar: '', gender: 0, is_guest: false });
  await store.clients.put({ client_id: 'c', name: 'n', developer_id: 'd' });
  const token = { userId: 'u', clientId: 'c', accessToken: 'access-token', macKey: 'mac-key-1' };
  await store.macTokens.add({ ...token, macAlgorithm: 'hmac-sha-1' });
  await store.failures.add('address', '1', 1000);
  await store.tokens.claim('k', 1000);
  await store.tokens.write('k', { value: 'v', expiresAt: t.clock.now() + 60_000 });
  await store.leases.hold('l', 'o', 1000);
  await store.gateways.beat({ id: 'n', urls: [], isDraining: false });
  await store.pacing.workers.beat('hms', 'w');
  const keys = await keysIn(t.redis, `${namespace}:*`);
  expect(keys.filter((key) => familyOf(namespace, key) === undefined)).toEqual([]);
});

it('a full Redis lets an app be deleted, and has room again', async () => {
  const server = await startRedisServer();
  const redis = await openRedis({ url: server.url, patience: 'wait', onError: () => undefined });
  const config = (limit: number) =>
    Promise.all(mastersOf(redis).map((master) => master.config('SET', 'maxmemory', limit)));
  try {
    const store = openStore({
      redis,
      namespace: 'full',
      secretKey: Buffer.alloc(32, 7).toString('base64'),
      vendors: VENDORS,
    });
    const app = anApp();
    await store.apps.create(app);
    await fillApp({ store, keys: storeKeys('full'), now: Date.now }, app.id, 300);
    await config(1);
    await expect(redis.set('full:x', '1')).rejects.toThrow('OOM');
    expect(await store.apps.remove(app.id)).toBe(true);
    await purged(store, app.id);
    const left = (await linesIn(redis, 'full')).filter((line) => !line.startsWith('full:sealing'));
    expect(mentions(left, [app.id])).toEqual([]);
  } finally {
    redis.disconnect();
    await server.close();
  }
});
