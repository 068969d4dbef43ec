import { audienceOf, type Audience } from '@pushfleet/domain';
import { anInstallation, countCommands, keysIn, seededRandom, unique } from '@pushfleet/testing';
import { Cluster } from 'ioredis';
import { shardOf } from '../../kit/shards';
import { audienceScene } from '../../testing/audience-scene';
import { jittered } from '../../testing/jittered';
import { mortal } from '../../testing/mortal';
import { storeUnderTest } from '../../testing/store-under-test';
import { MAX_LOOKED_UP } from './narrow';
import { DOUBT_MS } from './stale-entries';
import { SETTLE_MS } from './states';

const t = storeUnderTest();
const seed = Number(process.env['SEED'] ?? 20_261_122);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const random = seededRandom(seed);
const { below } = random;
const never = new AbortController().signal;

const CHANNELS = Array.from({ length: 12 }, (_, i) => `c${i}`);
const someChannels = (): string[] => CHANNELS.filter(() => below(4) === 0);

const { walked, narrowed, changing, dyingSavers, expectKilled } = audienceScene(t, {
  random,
  fields: () => ({ level: below(4), channels: someChannels() }),
  laterSaves: [() => ({ channels: someChannels() })],
});

const noteFleet = (): Promise<number> =>
  t.store.installations.channels.noteFleet({ now: t.clock.now(), isFresh: async () => false });

/** Time goes by, with this version there all along. */
async function elapse(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= SETTLE_MS / 2) {
    t.clock.advance(Math.min(left, SETTLE_MS / 2));
    await noteFleet();
  }
}

async function check(app: string, store = t.open()): Promise<number> {
  const settledAt = await noteFleet();
  return store.installations.channels.check(app, { now: t.clock.now, settledAt, stopping: never });
}

/** Checks until the index is known to be whole, and lets what processes remember of it go by. */
async function checkedIndex(app: string): Promise<void> {
  const { channels } = t.store.installations;
  for (let pass = 0; pass < 5 && !(await channels.isSound(app)); pass += 1) {
    await check(app);
    await elapse(SETTLE_MS + 1000);
  }
  expect(await channels.isSound(app)).toBe(true);
}

const AUDIENCES: readonly Audience[] = [
  ...CHANNELS.map((channel) => audienceOf({}, [channel])),
  audienceOf({}, ['c1', 'c2', 'nobody']),
  audienceOf({}, []),
  audienceOf({ channels: { $all: ['c3', 'c4'] } }, undefined),
  audienceOf({ channels: { $all: ['c3', 'c4'] } }, ['c5', 'c6']),
  audienceOf({ $or: [{ channels: 'c7' }, { channels: { $in: ['c8', 'c9'] }, level: 2 }] }, undefined),
  audienceOf({ level: { $gt: 1 }, channels: { $nin: ['c1'] } }, ['c2', 'c3']),
];

async function expectExact(app: string): Promise<void> {
  for (const audience of AUDIENCES) expect(await narrowed(app, audience)).toEqual(await walked(app, audience));
}

/** As an earlier version leaves it: records with their subscriptions, and no index. */
async function forgetIndex(app: string): Promise<void> {
  const keys = await keysIn(t.redis, `${t.keys.namespace}:i:{${app}:*}:c*`);
  await Promise.all(keys.map((key) => t.redis.del(key)));
}

describe('the index of channels', () => {
  it('finds whom a walk of the whole app finds, after any saves, removals and imports', async () => {
    const app = unique('app');
    await checkedIndex(app);
    const change = changing(app, t.store);
    for (let round = 0; round < rounds; round += 1) {
      await change(40);
      await expectExact(app);
    }
    await checkedIndex(app);
    expect(await t.store.installations.channels.state(app)).toMatchObject({ missing: 0 });
  });

  it('is built from what an earlier version stored while devices save, however often either is killed', async () => {
    const late = t.open({ redis: jittered(t.redis, () => below(4)) });
    for (let round = 0; round < rounds; round += 1) {
      const app = unique('app');
      await changing(app, t.store)(60);
      await forgetIndex(app);
      expect(await t.store.installations.channels.narrow(app, { subscriptions: ['c1'] })).toBeUndefined();
      const changes = Promise.all([changing(app, late)(30), changing(app, late)(30), dyingSavers(app, 20)]);
      for (let isOver = false; !isOver;) {
        await check(app, t.open({ redis: mortal(t.redis, below(700)) })).catch(expectKilled);
        const { begunAt, dueAt } = await t.store.installations.channels.state(app);
        isOver = begunAt === undefined && dueAt > 0;
      }
      await changes;
      await elapse(SETTLE_MS);
      await checkedIndex(app);
      await expectExact(app);
    }
  });

  it('is not trusted before all who save can write it, nor after somebody was found who did not', async () => {
    const app = unique('app');
    const { channels } = t.store.installations;
    t.clock.advance(2 * SETTLE_MS);
    expect(await noteFleet()).toBe(t.clock.now() + SETTLE_MS);
    await check(app);
    expect(await channels.isSound(app)).toBe(false);
    await elapse(SETTLE_MS);
    await check(app);
    expect(await channels.isSound(app)).toBe(true);
    await t.store.installations.save({ app, body: anInstallation({ channels: ['kept'] }), now: t.clock.now() });
    await forgetIndex(app);
    await elapse(86_400_000);
    expect(await check(app)).toBeGreaterThan(0);
    expect(await channels.isSound(app)).toBe(false);
  });

  it('asks no shard for a channel without subscribers, and gives up one with too many', async () => {
    const app = unique('app');
    await checkedIndex(app);
    const rows = Array.from({ length: MAX_LOOKED_UP + 1 }, (_, i) => {
      const { objectId = unique('o'), ...doc } = anInstallation({ channels: ['all', ...(i === 0 ? [] : ['most'])] });
      return { objectId: String(objectId), doc };
    });
    await t.store.installations.import(app, rows);
    const { channels } = t.store.installations;
    expect(await channels.narrow(app, { subscriptions: ['nobody'] })).toMatchObject({ shards: 0 });
    expect(await narrowed(app, { subscriptions: ['nobody'] })).toEqual([]);
    expect(await narrowed(app, { subscriptions: ['all'] })).toBeUndefined();
    expect(await narrowed(app, { subscriptions: ['most'] })).toHaveLength(MAX_LOOKED_UP);
    expect(await narrowed(app, { predicate: { channels: { $all: ['all', 'most'] } } })).toHaveLength(MAX_LOOKED_UP);
    expect(await channels.narrow(app, { predicate: { level: 1 } })).toBeUndefined();
  });

  it('reads once what is asked of an app in one round, and answers each with its own', async () => {
    const app = unique('app');
    await checkedIndex(app);
    await t.store.installations.save({ app, body: anInstallation({ channels: ['one'] }), now: t.clock.now() });
    const { channels } = t.store.installations;
    const shardsOf = async (subscriptions: readonly string[]) =>
      (await channels.narrow(app, { subscriptions: [...subscriptions] }))?.shards;
    expect([await shardsOf(['one']), await shardsOf(['nobody'])]).toEqual([1, 0]);
    const commands = await countCommands(t.redis, t.keys.namespace);
    let found: readonly unknown[] = [];
    const asked = [['one'], ['nobody'], ['one', 'nobody'], ['one'], ['nobody']];
    try {
      const sent = await commands.during(async () => (found = await Promise.all(asked.map(shardsOf))));
      expect(found).toEqual([1, 0, 1, 1, 0]);
      // On a cluster the two channels live on two nodes.
      const scripts = t.redis instanceof Cluster ? ['evalsha', 'evalsha'] : ['evalsha'];
      expect([...sent].sort()).toEqual([...scripts, 'smembers']);
    } finally {
      commands.close();
    }
  });

  it('forgets a channel whose subscribers have left, and not one that somebody joins at that moment', async () => {
    const app = unique('app');
    const [left, joined] = [unique('left'), unique('joined')];
    const save = (channels: readonly string[], objectId?: string) =>
      t.store.installations.save({
        app,
        objectId,
        body: { deviceType: 'android', channels: [...channels] },
        now: t.clock.now(),
      });
    const device = (await save([left, joined]))?.installation.objectId ?? '';
    await save([], device);
    await checkedIndex(app);
    const isKnown = (channel: string) => t.redis.hexists(t.keys.channelShards(app, shardOf(channel)), channel);
    expect(await Promise.all([left, joined].map(isKnown))).toEqual([1, 1]);
    await save([joined], device);
    await save([], device);
    const checkLater = async () => {
      await elapse(86_400_000 + DOUBT_MS);
      await check(app);
    };
    await checkLater();
    expect(await Promise.all([left, joined].map(isKnown))).toEqual([0, 1]);
    await checkLater();
    expect(await Promise.all([left, joined].map(isKnown))).toEqual([0, 0]);
  });
});
