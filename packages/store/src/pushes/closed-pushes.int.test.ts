import type { StoredPage } from '@pushfleet/domain';
import { unique, until } from '@pushfleet/testing';
import type { Store } from '../open-store';
import { shardOfPush } from './keys';
import { ALL_SHARDS } from '../kit/shards';
import { acceptOne, aPush } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import { Books } from './books';
import type { NewPush } from './new-push';

const t = storeUnderTest();
const now = () => t.clock.now();

const page = (ids: readonly string[]): StoredPage => ({
  ...{ channel: 'hms', profile: '_default', dueAt: now(), tries: 0, direct: true },
  devices: ids.map((id) => [id, `r${id}`] as const),
});
const addressedTo = (values: readonly string[]): Partial<NewPush> => ({
  audience: { addressed: { field: 'installationId', values } },
  where: { installationId: values.length === 1 ? (values[0] ?? '') : { $in: [...values] } },
});

/** An addressed push that is planned; its devices are outstanding. */
async function planned(values: readonly string[], accepted?: string): Promise<string> {
  const pushId = accepted ?? (await acceptOne(t, addressedTo(values)));
  const books = new Books('hms');
  for (const name of ['expected', 'matched', 'outstanding']) books.add(name, values.length);
  await t.store.ledger.plan({ pushId, lanes: [], pages: [page(values)], books: [books], now: now() });
  return pushId;
}

/** Folds its one page: these are refused, the others accepted. */
async function close(
  pushId: string,
  size: number,
  { refused = [], store = t.store }: { refused?: readonly string[]; store?: Store } = {},
): Promise<void> {
  const books = new Books('hms');
  books.add('outstanding', -size);
  books.accept(size - refused.length);
  for (const objectId of refused)
    books.refuseDevice('discarded', 'notifications-off', { objectId, vendorCode: '9', vendorMessage: 'off' });
  await store.ledger.fold({ pushId, part: { page: 1 }, books, now: now() });
}
const done = async (values: readonly string[]): Promise<string> => {
  const pushId = await planned(values);
  await close(pushId, values.length);
  return pushId;
};
const bytesOf = async (key: string): Promise<number> => Number(await t.redis.memory('USAGE', key, 'SAMPLES', 0));
const many = Array.from({ length: 500 }, (_, n) => `installation-${n}`);

describe('an addressed push that is done', () => {
  it('shrinks to its counts', async () => {
    const pushId = await planned(many);
    const before = await bytesOf(t.keys.pushRecord(pushId));
    await close(pushId, many.length);
    expect(await bytesOf(t.keys.pushRecord(pushId))).toBeLessThan(1000);
    expect(before).toBeGreaterThan(10_000);
    const record = await t.store.pushes.read(pushId);
    expect(record).toMatchObject({ status: 'done', where: {}, isNamed: true, updatedAt: now() });
    expect(record?.channels['hms']).toMatchObject({ expected: 500, matched: 500, accepted: 500, outstanding: 0 });
    expect(await t.store.pushes.toSend(pushId)).toMatchObject({ isDispatched: true, audience: { isForgotten: true } });
  });

  it('still tells whom it was for, when that is short', async () => {
    const pushId = await done(['one']);
    const record = await t.store.pushes.read(pushId);
    expect(record).toMatchObject({ where: { installationId: 'one' } });
    expect(record).not.toHaveProperty('isNamed');
    const { audience } = (await t.store.pushes.toSend(pushId)) ?? {};
    expect(audience).toMatchObject({ addressed: { field: 'installationId', values: ['one'] } });
  });

  it('is told from one to everybody, which names nobody before it is planned and after', async () => {
    const everybody = await acceptOne(t);
    expect(await t.store.pushes.read(everybody)).not.toHaveProperty('isNamed');
    await t.store.ledger.plan({ pushId: everybody, lanes: [], pages: [], books: [], now: now() });
    const record = await t.store.pushes.read(everybody);
    expect(record).toMatchObject({ status: 'done', where: {} });
    expect(record).not.toHaveProperty('isNamed');
    const long = await planned(many.map((id) => id.padEnd(50, 'x')));
    expect(await t.store.pushes.read(long)).toMatchObject({ status: 'in-queue', where: {}, isNamed: true });
  });

  it('keeps few verdicts among its errors, and many on their own', async () => {
    const [few, lots] = [await planned(many), await planned(many)];
    await close(few, many.length, { refused: many.slice(0, 20) });
    await close(lots, many.length, { refused: many.slice(0, 21) });
    const kept = await Promise.all([few, lots].map((pushId) => t.redis.exists(t.keys.verdicts(pushId))));
    expect(kept).toEqual([0, 1]);
    expect(await t.redis.pttl(t.keys.verdicts(lots))).toBeGreaterThan(6 * 86_400_000);
    for (const pushId of [few, lots]) {
      expect(await t.store.pushes.verdict(pushId, 'installation-19')).toEqual({
        ...{ channel: 'hms', outcome: 'discarded', reason: 'notifications-off', vendorCode: '9', vendorMessage: 'off' },
      });
      expect(await t.store.pushes.verdict(pushId, 'installation-99')).toBeUndefined();
    }
  });

  it('counts the receipts that come later', async () => {
    const pushId = await done(['one']);
    const receipt = { app: t.app, pushId, channel: 'hms', kind: 'delivered', registrationId: 'r' } as const;
    expect(await t.store.receipts.count(receipt)).toBe(true);
    expect((await t.store.pushes.read(pushId))?.channels['hms']).toMatchObject({ accepted: 1, delivered: 1 });
  });

  it('is neither dispatched nor given up again', async () => {
    const pushId = await done(['one']);
    const again = { pushId, lanes: [], pages: [page(['one'])], books: [], now: now() };
    expect([await t.store.ledger.plan(again), await t.store.closed.giveUp(pushId, now())]).toEqual([false, false]);
    expect(await t.store.pushes.read(pushId)).toMatchObject({ status: 'done' });
  });
});

describe('a list of devices of which none is left to be sent to', () => {
  const long = many.map((id) => id.padEnd(100, 'x'));
  const listed = () => acceptOne(t, addressedTo(long));
  const isForgotten = async (pushId: string): Promise<void> => {
    expect(await bytesOf(t.keys.pushRecord(pushId))).toBeLessThan(2000);
    expect((await t.store.pushes.toSend(pushId))?.audience).toEqual({ isForgotten: true });
  };

  it('is forgotten when nobody was found', async () => {
    const pushId = await listed();
    expect(await bytesOf(t.keys.pushRecord(pushId))).toBeGreaterThan(50_000);
    await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [], now: now() });
    expect(await t.store.pushes.read(pushId)).toMatchObject({ status: 'done', where: {} });
    await isForgotten(pushId);
  });

  it('is forgotten when all were refused', async () => {
    const pushId = await listed();
    const books = new Books('hms');
    for (const name of ['expected', 'matched']) books.add(name, long.length);
    books.refuse('discarded', 'profile-missing', { count: long.length, samples: [] });
    await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now: now() });
    expect((await t.store.pushes.read(pushId))?.channels['hms']).toMatchObject({ matched: long.length });
    await isForgotten(pushId);
  });

  it('is forgotten when the push is cancelled before it is dispatched', async () => {
    const pushId = await listed();
    await t.store.pushes.cancel(pushId, now());
    await isForgotten(pushId);
  });
});

it('an audience that lanes walk is kept, however long its condition', async () => {
  const predicate = { city: { $in: many.map((name) => `${name}-${'x'.repeat(50)}`) } };
  const pushId = await acceptOne(t, { audience: { predicate }, where: predicate });
  const lane = { id: 1, channel: 'hms', profile: '_default', bucket: 'hms/_default', fromShard: 0, toShard: 256 };
  await t.store.ledger.plan({ pushId, lanes: [lane], pages: [], books: [], now: now() });
  expect((await t.store.pushes.toSend(pushId))?.audience).toEqual({ predicate });
});

it('a push whose audience got lost is for nobody', async () => {
  const pushId = await acceptOne(t);
  await t.redis.hdel(t.keys.pushRecord(pushId), 'audience');
  await expect(t.store.pushes.toSend(pushId)).rejects.toMatchObject({ code: 'unreadable-push' });
});

describe('closed records', () => {
  const { signal: stopping } = new AbortController();

  /** Pushes of one shard, as those of one commit are, closed one after the other; the next ones are of another shard. */
  async function ofOneShard(count: number, app = t.app): Promise<readonly string[]> {
    t.clock.advance(1000);
    const group = Array.from({ length: count }, () => aPush(t, { ...addressedTo(['one']), app }));
    const ids = (await t.store.acceptPushes(group)).map(({ pushId }) => pushId);
    for (const pushId of ids) await close(await planned(['one'], pushId), 1);
    return ids;
  }
  const left = (ids: readonly string[]) => Promise.all(ids.map((id) => t.redis.exists(t.keys.pushRecord(id))));

  const trimTo = (maxBytes: number): Promise<number> => t.store.closed.trim({ maxBytes, stopping });
  const entriesOf = (shard: number): Promise<string[]> => t.redis.lrange(t.keys.closedPushes(shard), 0, -1);
  /** What entries of the lists of closed pushes say, of all shards. */
  async function bytesKept(): Promise<number> {
    const entries = (await Promise.all(ALL_SHARDS.map(entriesOf))).flat();
    return entries.reduce((sum, entry) => sum + Number(entry.slice(16)), 0);
  }
  /** Makes the records look as if they had been closed so long ago. */
  const age = (ids: readonly string[], hours: number) =>
    Promise.all(ids.map((id) => t.redis.pexpire(t.keys.pushRecord(id), (7 * 24 - hours) * 3_600_000)));

  it('that are too large together go, oldest first, until the others fit', async () => {
    await trimTo(0);
    const ids = [...(await ofOneShard(2)), ...(await ofOneShard(2))];
    await age(ids.slice(0, 1), 3);
    await age(ids.slice(2, 3), 50);
    const size = (await bytesKept()) / 4;
    expect(await trimTo(4 * size)).toBe(0);
    expect(await trimTo(3 * size)).toBe(1);
    expect(await left(ids)).toEqual([1, 1, 0, 1]);
    expect(await trimTo(2 * size + 1)).toBe(1);
    expect(await left(ids)).toEqual([0, 1, 0, 1]);
    expect(await bytesKept()).toBe(2 * size);
    expect(await trimTo(0)).toBe(2);
    expect(await bytesKept()).toBe(0);
  });

  it('of an app that holds no more than its share stay, however old, when another app sends a lot', async () => {
    await trimTo(0);
    const quiet = await ofOneShard(2, unique('quiet'));
    await age(quiet, 100);
    const loud = [...(await ofOneShard(5)), ...(await ofOneShard(5))];
    await age(loud.slice(0, 5), 3);
    const size = (await bytesKept()) / 12;
    expect(await trimTo(6 * size + 1)).toBe(6);
    expect(await left(quiet)).toEqual([1, 1]);
    expect(await left(loud)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    // The share of each is one now.
    expect(await trimTo(2 * size + 1)).toBe(4);
    expect(await left([...quiet, ...loud.slice(-4)])).toEqual([0, 1, 0, 0, 0, 1]);
  });

  it('that cannot be read go with the others', async () => {
    await trimTo(0);
    const [spoilt = '', sound = ''] = await ofOneShard(2);
    await t.redis.set(t.keys.pushRecord(spoilt), 'no record');
    await t.redis.pexpire(t.keys.pushRecord(spoilt), 1000_000);
    expect(await trimTo(0)).toBe(2);
    expect(await left([spoilt, sound])).toEqual([0, 0]);
  });

  it('that fit together are kept, however large the only one of a shard is', async () => {
    await trimTo(0);
    const campaign = await acceptOne(t);
    const books = new Books('hms');
    for (const name of ['expected', 'matched', 'accepted']) books.add(name, 100_000);
    await t.store.ledger.plan({ pushId: campaign, lanes: [], pages: [], books: [books], now: now() });
    const messages = await ofOneShard(3);
    await age(messages, 5);
    // Room for the receipts of so many devices alone.
    const campaignBytes = Number((await entriesOf(shardOfPush(campaign)))[0]?.slice(16));
    expect(campaignBytes).toBeGreaterThan(4_000_000);
    expect(await trimTo(await bytesKept())).toBe(0);
    expect(await trimTo(campaignBytes)).toBe(3);
    expect(await left([campaign, ...messages])).toEqual([1, 0, 0, 0]);
  });

  it('stay when the process stops', async () => {
    const ids = await ofOneShard(1);
    expect(await t.store.closed.trim({ maxBytes: 0, stopping: AbortSignal.abort() })).toBe(0);
    expect(await left(ids)).toEqual([1]);
  });

  it('that are gone by themselves leave the list', async () => {
    const ids = await ofOneShard(2);
    const shard = shardOfPush(ids[0] ?? '');
    await t.redis.del(t.keys.pushRecord(ids[0] ?? ''));
    expect(await trimTo(1e9)).toBe(0);
    expect(await entriesOf(shard)).toEqual([expect.stringMatching(`^${ids[1] ?? ''}\\d+$`)]);
  });

  it('of a shorter life are not counted once they are gone, and leave the list from its middle and its end', async () => {
    await trimTo(0);
    const store = t.open({ addressedRetentionMs: 20 });
    t.clock.advance(1000);
    const group = [aPush(t), ...Array.from({ length: 3 }, () => aPush(t, addressedTo(['one'])))];
    const [campaign = '', ...messages] = (await t.store.acceptPushes(group)).map(({ pushId }) => pushId);
    await store.ledger.plan({ pushId: campaign, lanes: [], pages: [], books: [], now: now() });
    for (const pushId of messages) await close(await planned(['one'], pushId), 1, { store });
    await until(async () => (await left(messages)).every((found) => found === 0) || undefined);
    const maxBytes = (await bytesOf(t.keys.pushRecord(campaign))) + 60;
    expect(await trimTo(maxBytes)).toBe(0);
    expect(await left([campaign])).toEqual([1]);
    expect(await entriesOf(shardOfPush(campaign))).toEqual([expect.stringMatching(`^${campaign}\\d+$`)]);
  });

  it('that say how long they are kept are kept so long, packed or not, with devices or without', async () => {
    const keepMs = 600_000;
    const wish = { ...addressedTo(['one']), service: 'rtm' as const, keepMs };
    for (const store of [t.store, t.open({ addressedRetentionMs: 7_200_000 })]) {
      const pushId = await planned(['one'], await acceptOne(t, wish));
      await close(pushId, 1, { store });
      const none = await acceptOne(t, wish);
      await store.ledger.plan({ pushId: none, lanes: [], pages: [], books: [], now: now() });
      for (const id of [pushId, none]) {
        const left = await t.redis.pttl(t.keys.pushRecord(id));
        expect([left > 0, left <= keepMs]).toEqual([true, true]);
        expect(await t.store.pushes.read(id)).toMatchObject({ status: 'done', service: 'rtm' });
      }
    }
  });

  it('include those that were cancelled before they were dispatched', async () => {
    const pushId = await acceptOne(t);
    await t.store.pushes.cancel(pushId, now());
    const entries = await t.redis.lrange(t.keys.closedPushes(shardOfPush(pushId)), 0, -1);
    expect(entries.filter((entry) => entry.startsWith(pushId))).toHaveLength(1);
    expect(await t.redis.pttl(t.keys.pushRecord(pushId))).toBeGreaterThan(6 * 86_400_000);
  });
});
