import { anApp, anInstallation, seededRandom, unique } from '@pushfleet/testing';
import { ALL_SHARDS, shardOf } from '../kit/shards';
import { storeUnderTest } from '../testing/store-under-test';
import { bytesOfClient } from './binding-text';
import { openBindings } from './bindings';

const t = storeUnderTest();
const BYTES = 20_000;
const FULL = { name: 'AppFull', message: expect.stringMatching(/^limits\.installationsBytes: .* 20000 bytes of /) };
const seed = Number(process.env['SEED'] ?? 1129);
const { below } = seededRandom(seed);

async function anAppWith(limits: { installationsBytes?: number } = {}): Promise<string> {
  const app = anApp();
  await t.store.apps.create({ ...app, limits: { ...app.limits, ...limits } });
  return app.id;
}

const longId = (): string => unique('i').padEnd(500, 'x');
const bind = (app: string, client: string, installationId = longId()) =>
  t.store.messaging.bindings.bind(app, { client, installationId });
const bytesOf = async (app: string): Promise<number> => (await t.store.installations.room(app)).bytes;

const namesOf = (name: string, count: number): readonly string[] => Array.from({ length: count }, () => unique(name));

/** What is counted of the bindings of an app, and what is there, shard by shard. */
async function sizesOf(app: string) {
  const counted = ALL_SHARDS.map(async (shard) =>
    Number((await t.redis.hget(t.keys.bindingBytes(app, shard), 'bytes')) ?? 0),
  );
  const found = ALL_SHARDS.map(async (shard) => {
    const texts = Object.entries(await t.redis.hgetall(t.keys.bindings(app, shard)));
    return texts.reduce((sum, [client, text]) => sum + bytesOfClient(client, text), 0);
  });
  return { counted: await Promise.all(counted), found: await Promise.all(found) };
}

/** Until it is refused; resolves with how often it was not. */
async function fill(write: (i: number) => Promise<unknown>): Promise<number> {
  for (let i = 0; i < 1000; i += 1) {
    try {
      await write(i);
    } catch (error) {
      expect(error).toMatchObject(FULL);
      return i;
    }
  }
  throw new Error('a thousand were taken');
}

describe('an app that has as many bytes as it may', () => {
  it('binds nothing new, and what is there as before', async () => {
    const [app, other] = [
      await anAppWith({ installationsBytes: BYTES }),
      await anAppWith({ installationsBytes: BYTES }),
    ];
    const ids = Array.from({ length: 1000 }, longId);
    const count = await fill((i) => bind(app, `c${i}`, ids[i]));
    expect(count).toBeGreaterThan(25);
    expect(await bytesOf(app)).toBeLessThanOrEqual(BYTES);
    await bind(app, 'c0', ids[0]);
    await expect(bind(app, 'c0')).rejects.toMatchObject(FULL);
    expect((await t.store.messaging.bindings.of(app, ['c0'])).get('c0')).toEqual([ids[0]]);
    await bind(other, 'c0');
    await t.store.messaging.bindings.unbind(app, { client: 'c1', ids: [ids[1] ?? ''] });
    await bind(app, 'c0');
  });

  it('mutes for nobody new, and takes what is there as before', async () => {
    const [app, other] = [
      await anAppWith({ installationsBytes: BYTES }),
      await anAppWith({ installationsBytes: BYTES }),
    ];
    const { mutes } = t.store.messaging;
    const count = await fill((i) => mutes.add(app, `conversation${i}`, ['Tom', 'Jerry']));
    expect(count).toBeGreaterThan(25);
    expect(await bytesOf(app)).toBeLessThanOrEqual(BYTES);
    expect(await mutes.add(app, 'conversation0', ['Tom'])).toBe(true);
    await expect(mutes.add(app, 'conversation0', ['Tom', 'Spike'])).rejects.toMatchObject(FULL);
    expect(await mutes.list(app, 'conversation0')).toEqual(['Jerry', 'Tom']);
    expect(await mutes.add(other, 'conversation0', ['Spike'])).toBe(true);
    await mutes.remove(app, 'conversation1', ['Tom', 'Jerry']);
    expect(await mutes.add(app, 'conversation0', ['Spike'])).toBe(true);
  });

  it('lets unconfirmed installations go for them, and no more of these than it needs', async () => {
    const app = await anAppWith({ installationsBytes: 200_000 });
    const client = { columns: [], channelPrefixes: [] };
    for (let i = 0; i < 100; i += 1)
      await t.store.installations.save({ app, body: anInstallation(), now: t.clock.now(), client });
    await t.store.messaging.mutes.add(
      app,
      'conversation',
      Array.from({ length: 450 }, (_, i) => `c${i}`),
    );
    for (let i = 0; i < 100; i += 1) await bind(app, `c${i}`);
    expect(await bytesOf(app)).toBeLessThanOrEqual(200_000);
    const { installations, evicted } = await t.store.installations.room(app);
    expect(installations).toBe(100 - evicted);
    expect(evicted).toBeGreaterThan(0);
    expect(await bytesOf(app)).toBeGreaterThan(170_000);
  });

  it('passes it by no more than what is under way when several processes bind at once', async () => {
    const app = await anAppWith({ installationsBytes: BYTES });
    const processes = Array.from({ length: 4 }, () => t.open());
    let refused = 0;
    for (let round = 0; round < 10; round += 1) {
      const bound = processes.map(({ messaging }) =>
        messaging.bindings.bind(app, { client: unique('client'), installationId: longId() }),
      );
      refused += (await Promise.allSettled(bound)).filter(({ status }) => status === 'rejected').length;
    }
    expect(refused).toBeGreaterThan(0);
    // Of each process a sixteenth of the ceiling, or what it binds.
    expect(await bytesOf(app)).toBeLessThanOrEqual(BYTES + 4 * (BYTES / 16 + 610));
  });
});

it(`whatever is bound, ended and swept, what is counted is what is there (seed ${seed})`, async () => {
  const app = await anAppWith();
  const { bindings } = t.store.messaging;
  const [clients, ids] = [namesOf('c', 6), namesOf('i', 20)];
  const pick = (of: readonly string[]): string => of[below(of.length)] ?? '';
  for (let round = 0; round < 30; round += 1) {
    const moves = Array.from({ length: 20 }, async () => {
      const [client, id] = [pick(clients), pick(ids)];
      const kind = below(10);
      if (kind < 6) return bindings.bind(app, { client, installationId: id, objectId: pick(ids) });
      if (kind < 9) return bindings.unbind(app, { client, ids: [id, pick(ids)] });
      return bindings.sweep(app, { shard: shardOf(client), now: t.clock.now() });
    });
    await Promise.all(moves);
    if (round % 10 === 9) t.clock.advance(100 * 86_400_000);
    const sizes = await sizesOf(app);
    expect(sizes.counted).toEqual(sizes.found);
  }
  for (const client of clients) await bindings.unbind(app, { client, ids });
  const left = ALL_SHARDS.map((shard) => t.redis.exists(t.keys.bindings(app, shard), t.keys.bindingBytes(app, shard)));
  expect(await Promise.all(left)).not.toContain(1);
});

it('bindings that a build did not count are counted by the daily sweep', async () => {
  const app = await anAppWith();
  const clients = namesOf('c', 5);
  for (const client of clients) await bind(app, client);
  const before = await bytesOf(app);
  for (const client of clients) await t.redis.del(t.keys.bindingBytes(app, shardOf(client)));
  expect(await bytesOf(app)).toBe(0);
  // The first marks what it misses, the second finds nothing to change.
  for (let sweeps = 0; sweeps < 2; sweeps += 1)
    for (const shard of ALL_SHARDS) await t.store.messaging.bindings.sweep(app, { shard, now: t.clock.now() });
  expect(await bytesOf(app)).toBeGreaterThan(before);
  const sizes = await sizesOf(app);
  expect(sizes.counted).toEqual(sizes.found);
});

it('a client that an earlier build binds while a sweep counts is counted by the next one', async () => {
  const [app, client] = [await anAppWith(), unique('c')];
  const shard = shardOf(client);
  const [bindings, bytes] = [t.keys.bindings(app, shard), t.keys.bindingBytes(app, shard)];
  await bind(app, client);
  await t.redis.del(bytes);
  const existing = async (_: string, ids: readonly string[]) => {
    await t.redis.hset(bindings, 'bound-meanwhile', longId());
    return new Set(ids);
  };
  const memory = { requireRoom: async () => undefined };
  const room = { take: async () => undefined, note: () => undefined };
  const looking = openBindings({ redis: t.redis, keys: t.keys, memory, room, existing });
  await looking.sweep(app, { shard, now: t.clock.now() });
  expect(await t.redis.exists(bytes)).toBe(0);
  await looking.sweep(app, { shard, now: t.clock.now() });
  const sizes = await sizesOf(app);
  expect(sizes.counted).toEqual(sizes.found);
  expect(sizes.found[shard]).toBeGreaterThan(1000);
});

it('mutes that a build kept by conversation hold, are listed, and end', async () => {
  const app = await anAppWith();
  const { mutes } = t.store.messaging;
  await t.redis.sadd(t.keys.mutesOfBefore(app, 'conversation'), 'Tom', 'Jerry');
  await mutes.add(app, 'conversation', ['Jerry', 'Spike']);
  expect(await mutes.list(app, 'conversation')).toEqual(['Jerry', 'Spike', 'Tom']);
  expect(await mutes.among(app, 'conversation', ['Tom', 'Spike', 'Butch'])).toEqual(new Set(['Tom', 'Spike']));
  await mutes.remove(app, 'conversation', ['Tom', 'Jerry']);
  expect(await mutes.list(app, 'conversation')).toEqual(['Spike']);
});

it('a conversation whose id begins with that of another is muted for itself', async () => {
  const app = await anAppWith();
  const { mutes } = t.store.messaging;
  const ids = ['a', 'a-', 'a.', 'a:b', 'ab'];
  for (const id of ids) await mutes.add(app, id, [`of${ids.indexOf(id)}`]);
  for (const id of ids) expect(await mutes.list(app, id)).toEqual([`of${ids.indexOf(id)}`]);
});
