import { imbalanceOf, sum, type Lane, type LanePosition, type StoredPage } from '@pushfleet/domain';
import { seededRandom } from '@pushfleet/testing';
import { shardOfPush } from './keys';
import { acceptOne, aPush } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import { Books } from './books';
import type { FoldWrite } from './ledger';

const t = storeUnderTest();
const now = () => t.clock.now();

const lane = (id: number, channel = 'hms'): Lane => ({
  ...{ id, channel, profile: '_default', bucket: `${channel}/_default`, fromShard: id * 32, toShard: id * 32 + 32 },
});
const page = (channel: string, ...ids: string[]): StoredPage => ({
  ...{ channel, profile: '_default', dueAt: now(), tries: 0, direct: true },
  devices: ids.map((id) => [id, `r${id}`] as const),
});
const at = (shard: number, objectId = ''): LanePosition => ({ shard, objectId });

/** The books of a page: what came of its devices. */
function books(channel: string, counts: Record<string, number>): Books {
  const written = new Books(channel);
  for (const [name, count] of Object.entries(counts)) written.add(name, count);
  return written;
}
const accepted = (n: number, channel = 'hms'): Books => books(channel, { matched: n, accepted: n });

const plan = (pushId: string, lanes: readonly Lane[], pages: readonly StoredPage[] = []) =>
  t.store.ledger.plan({ pushId, lanes, pages, books: [], now: now() });
const fold = (write: Omit<FoldWrite, 'now'>) => t.store.ledger.fold({ ...write, now: now() });
const read = async (pushId: string) => {
  const record = await t.store.pushes.read(pushId);
  if (!record) throw new Error('no record');
  return record;
};
const ledgerExists = async (pushId: string) => (await t.redis.exists(t.keys.ledger(pushId))) === 1;

describe('a plan', () => {
  it('is written once', async () => {
    const pushId = await acceptOne(t);
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        t.store.ledger.plan({
          pushId,
          lanes: [lane(n)],
          pages: [],
          books: [books('hms', { expected: 5 })],
          now: now(),
        }),
      ),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect((await t.store.ledger.openParts(pushId)).lanes).toHaveLength(1);
    expect((await read(pushId)).channels).toMatchObject({ hms: { expected: 5 } });
    expect((await t.store.pushes.toSend(pushId))?.isDispatched).toBe(true);
  });

  it('is booked by channels in the order of their names', async () => {
    const pushId = await acceptOne(t);
    const names = ['vivo', 'own', 'hms', 'mz', 'honor', 'oppo', 'mi'];
    const planned = names.map((name) => accepted(2, name));
    await t.store.ledger.plan({ pushId, lanes: [lane(1)], pages: [], books: planned, now: now() });
    expect(Object.keys((await read(pushId)).channels)).toEqual([...names].sort());
  });

  it('tells its parts until they are folded', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0), lane(1, 'mi')], [page('hms', 'a', 'b'), page('mi', 'c')]);
    expect(await t.store.ledger.openParts(pushId)).toEqual({
      lanes: [lane(0), lane(1, 'mi')],
      pages: [
        [1, page('hms', 'a', 'b')],
        [2, page('mi', 'c')],
      ],
    });
    expect(await t.store.ledger.lane(pushId, 1)).toEqual({ lane: lane(1, 'mi'), position: at(32), tries: undefined });
    expect((await t.store.pushes.withPage(pushId, 2))?.page).toEqual(page('mi', 'c'));
    expect((await t.store.pushes.withPage(pushId, 3))?.page).toBeUndefined();
    await fold({ pushId, part: { page: 1 }, books: accepted(2) });
    await fold({ pushId, part: { lane: 0, from: at(0), to: 'done' }, books: accepted(0) });
    expect(await t.store.ledger.openParts(pushId)).toEqual({ lanes: [lane(1, 'mi')], pages: [[2, page('mi', 'c')]] });
    expect(await t.store.ledger.lane(pushId, 0)).toBeUndefined();
  });

  it('without parts closes the push, with its first books', async () => {
    const pushId = await acceptOne(t);
    const first = books('ios', { expected: 3, matched: 3 });
    first.refuse('discarded', 'platform-unsupported', { count: 3, samples: ['a', 'b', 'c'] });
    expect(await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [first], now: now() })).toBe(true);
    const record = await read(pushId);
    expect(record.status).toBe('done');
    expect(record.channels['ios']).toMatchObject({ matched: 3, discarded: { 'platform-unsupported': 3 } });
    expect(await t.store.pushes.open(shardOfPush(pushId), Infinity, 1000)).not.toContain(pushId);
  });

  it('of a push that does not exist is refused and leaves nothing', async () => {
    const pushId = '00000000000000aa';
    expect(await plan(pushId, [lane(0)])).toBe(false);
    expect(await ledgerExists(pushId)).toBe(false);
    expect(await t.store.pushes.read(pushId)).toBeUndefined();
  });

  it('may hold thousands of lanes and pages', async () => {
    const pushId = await acceptOne(t);
    const lanes = Array.from({ length: 6000 }, (_, id) => lane(id));
    await plan(
      pushId,
      lanes,
      Array.from({ length: 3000 }, () => page('mi', 'x')),
    );
    const parts = await t.store.ledger.openParts(pushId);
    expect([parts.lanes.length, parts.pages.length]).toEqual([6000, 3000]);
  });
});

describe('a fold', () => {
  it('moves the lane on and is refused when it comes again', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)]);
    const write = { pushId, part: { lane: 0, from: at(0), to: at(3, 'xyz') }, books: accepted(7) };
    expect(await fold(write)).toEqual({ state: 'folded', retryPages: [] });
    expect((await t.store.ledger.lane(pushId, 0))?.position).toEqual(at(3, 'xyz'));
    expect(await fold(write)).toEqual({ state: 'stale', retryPages: [] });
    expect((await read(pushId)).channels['hms']).toMatchObject({ matched: 7, accepted: 7 });
  });

  it('by many workers at once counts once', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)], [page('mi', 'a')]);
    const folds = Array.from({ length: 6 }, () => [
      fold({ pushId, part: { page: 1 }, books: accepted(1, 'mi'), retries: [page('mi', 'a')] }),
      fold({ pushId, part: { lane: 0, from: at(0), to: 'done' }, books: accepted(5) }),
    ]);
    const states = (await Promise.all(folds.flat())).map(({ state }) => state);
    expect(states.filter((state) => state === 'folded')).toHaveLength(2);
    const { channels } = await read(pushId);
    expect([channels['hms']?.accepted, channels['mi']?.accepted]).toEqual([5, 1]);
    expect((await t.store.ledger.openParts(pushId)).pages).toHaveLength(1);
  });

  it('of a push whose record is gone says so and writes nothing', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)]);
    await t.redis.del(t.keys.pushRecord(pushId));
    const write = { pushId, part: { lane: 0, from: at(0), to: at(1, 'a') }, books: accepted(1) };
    expect(await fold(write)).toEqual({ state: 'gone', retryPages: [] });
    expect(await t.redis.exists(t.keys.pushRecord(pushId))).toBe(0);
  });

  it('that cannot be written does not fail those beside it', async () => {
    const pushIds = (await t.store.acceptPushes([1, 2, 3].map(() => aPush(t)))).map(({ pushId }) => pushId);
    expect(new Set(pushIds.map(shardOfPush)).size).toBe(1);
    await Promise.all(pushIds.map((pushId) => plan(pushId, [], [page('hms', 'a')])));
    await t.redis.del(t.keys.ledger(pushIds[1] ?? ''));
    await t.redis.set(t.keys.ledger(pushIds[1] ?? ''), 'no ledger');
    const folds = pushIds.map((pushId) => fold({ pushId, part: { page: 1 }, books: accepted(1) }));
    const outcomes = await Promise.allSettled(folds);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: { message: expect.stringMatching(/WRONGTYPE/) } });
    const states = (await Promise.all(pushIds.map(read))).map(({ status }) => status);
    expect(states).toEqual(['done', 'in-queue', 'done']);
  });

  it('numbers retry pages behind the planned ones, each to be folded once', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)], [page('hms', 'a')]);
    const retry = { ...page('hms', 'b'), dueAt: now() + 5000, tries: 1, booksAs: 'vendor-error' as const };
    const deferred = () => books('hms', { matched: 1, outstanding: 1 });
    const retries = [retry, { ...retry, unknowns: 1 }];
    const first = await fold({ pushId, part: { lane: 0, from: at(0), to: at(1, 'b') }, books: deferred(), retries });
    const second = await fold({ pushId, part: { page: 1 }, books: deferred(), retries: [retry] });
    expect([first.retryPages, second.retryPages]).toEqual([[2, 3], [4]]);
    expect((await t.store.pushes.withPage(pushId, 2))?.page).toEqual(retry);
    const settled = books('hms', { accepted: 1, outstanding: -1 });
    expect((await fold({ pushId, part: { page: 2 }, books: settled })).state).toBe('folded');
    expect((await fold({ pushId, part: { page: 2 }, books: settled })).state).toBe('stale');
    expect((await read(pushId)).channels['hms']).toMatchObject({ matched: 2, accepted: 1, outstanding: 1 });
  });
});

describe('tries', () => {
  it('are remembered until the next fold, also that of a page', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)]);
    const tries = { count: 3, booksAs: 'unreachable' as const };
    await t.store.ledger.noteTries(pushId, 0, tries);
    expect((await t.store.ledger.lane(pushId, 0))?.tries).toEqual(tries);
    await fold({ pushId, part: { lane: 0, from: at(0), to: at(1, 'a') }, books: accepted(1) });
    expect((await t.store.ledger.lane(pushId, 0))?.tries).toBeUndefined();
  });

  it('of a push that closed meanwhile do not bring its ledger back', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)]);
    await fold({ pushId, part: { lane: 0, from: at(0), to: 'done' }, books: accepted(1) });
    await t.store.ledger.noteTries(pushId, 0, { count: 1, booksAs: 'unreachable' });
    expect(await ledgerExists(pushId)).toBe(false);
  });
});

describe('done', () => {
  it('comes with the last part, removes the ledger and starts the retention', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)], [page('mi', 'a')]);
    await fold({ pushId, part: { lane: 0, from: at(0), to: 'done' }, books: accepted(1) });
    const outstanding = books('mi', { matched: 1, outstanding: 1 });
    await fold({ pushId, part: { page: 1 }, books: outstanding, retries: [page('mi', 'a')] });
    expect((await read(pushId)).status).toBe('in-queue');
    expect(await t.redis.pttl(t.keys.pushRecord(pushId))).toBe(-1);
    expect(await ledgerExists(pushId)).toBe(true);

    const last = books('mi', { outstanding: -1 });
    last.refuseDevice('failed', 'vendor-error', { objectId: 'a' });
    await fold({ pushId, part: { page: 2 }, books: last });
    expect((await read(pushId)).status).toBe('done');
    expect(await ledgerExists(pushId)).toBe(false);
    expect(await t.store.pushes.open(shardOfPush(pushId), Infinity, 1000)).not.toContain(pushId);
    expect(await t.redis.pttl(t.keys.pushRecord(pushId))).toBeGreaterThan(6 * 86_400_000);
    const late = { pushId, part: { lane: 0, from: at(0), to: 'done' }, books: accepted(1) } as const;
    expect((await fold(late)).state).toBe('stale');
  });
});

describe('errors of the record', () => {
  it('tell count, words of the vendor, advice and at most 20 samples over all folds', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)]);
    for (let i = 0; i < 5; i += 1) {
      const refused = books('hms', { matched: 7 });
      const words = { vendorCode: '80300|007', vendorMessage: 'all tokens invalid' };
      for (let n = 0; n < 7; n += 1)
        refused.refuseDevice('discarded', 'registration-gone', { objectId: `d${i}x${n}`, ...words });
      await fold({ pushId, part: { lane: 0, from: at(i), to: at(i + 1) }, books: refused });
    }
    const [error, ...others] = (await read(pushId)).errors;
    expect(others).toEqual([]);
    expect(error).toMatchObject({
      ...{ channel: 'hms', reason: 'registration-gone', count: 35, action: 'drop-registration' },
      ...{ vendorCode: '80300|007', vendorMessage: 'all tokens invalid' },
    });
    expect(error?.samples).toHaveLength(20);
    expect(new Set(error?.samples).size).toBe(20);
  });

  it('keep the verdict on a single device', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)]);
    const refused = books('hms', { matched: 1 });
    refused.refuseDevice('discarded', 'notifications-off', { objectId: 'dev', vendorCode: '9', vendorMessage: 'off' });
    await fold({ pushId, part: { lane: 0, from: at(0), to: 'done' }, books: refused });
    expect(await t.store.pushes.verdict(pushId, 'dev')).toEqual({
      ...{ channel: 'hms', outcome: 'discarded', reason: 'notifications-off', vendorCode: '9', vendorMessage: 'off' },
    });
    expect(await t.store.pushes.verdict(pushId, 'other')).toBeUndefined();
  });

  it('a page of refused devices fits in one fold', async () => {
    const pushId = await acceptOne(t);
    await plan(pushId, [lane(0)]);
    const refused = books('hms', { matched: 10_000 });
    for (let n = 0; n < 10_000; n += 1)
      refused.refuseDevice('failed', 'vendor-error', { objectId: `d${n}`, vendorCode: String(n % 3000) });
    await fold({ pushId, part: { lane: 0, from: at(0), to: 'done' }, books: refused });
    const record = await read(pushId);
    expect(record.channels['hms']?.failed).toEqual({ 'vendor-error': 10_000 });
    expect(sum(Object.fromEntries(record.errors.map((e, i) => [i, e.count])))).toBe(10_000);
  });
});

describe('a push as many workers fold it', () => {
  const { below, pick } = seededRandom(99);
  const channels = ['hms', 'mi', 'own'];
  const someId = () => `o${below(1e6)}`;

  /** Splits the devices of a page into its places; deferred ones make a retry page. */
  function settle(channel: string, devices: number, isRetry: boolean): Pick<FoldWrite, 'books' | 'retries'> {
    const written = books(channel, isRetry ? { outstanding: -devices } : { matched: devices });
    const yes = below(devices + 1);
    const discarded = below(devices - yes + 1);
    const deferred = below(devices - yes - discarded + 1);
    written.accept(yes);
    for (let i = 0; i < discarded; i += 1)
      written.refuseDevice('discarded', 'registration-gone', { objectId: someId() });
    for (let i = yes + discarded + deferred; i < devices; i += 1)
      written.refuseDevice('failed', 'vendor-error', { objectId: someId() });
    written.add('outstanding', deferred);
    const ids = Array.from({ length: deferred }, someId);
    return { books: written, retries: deferred > 0 ? [page(channel, ...ids)] : [] };
  }

  type Move = { write: Omit<FoldWrite, 'now'>; newlyMatched: number };

  async function moveLane(pushId: string, { id, channel, fromShard }: Lane): Promise<Move> {
    const from = (await t.store.ledger.lane(pushId, id))?.position ?? at(0);
    const to = from.shard - fromShard > 3 || below(6) === 0 ? 'done' : at(from.shard + 1, 'x');
    const newlyMatched = below(30);
    return { write: { pushId, part: { lane: id, from, to }, ...settle(channel, newlyMatched, false) }, newlyMatched };
  }

  function movePage(pushId: string, [number, { channel, devices }]: readonly [number, StoredPage]): Move {
    const isRetry = number > 1;
    const write = { pushId, part: { page: number }, ...settle(channel, devices.length, isRetry) };
    return { write, newlyMatched: isRetry ? 0 : devices.length };
  }

  async function nextMove(pushId: string): Promise<Move | undefined> {
    const { lanes, pages } = await t.store.ledger.openParts(pushId);
    const part = below(lanes.length + pages.length);
    const lane = lanes[part];
    const open = pages[part - lanes.length];
    return lane ? moveLane(pushId, lane) : open && movePage(pushId, open);
  }

  it.each([1, 2, 3, 4, 5])('adds up after every fold, however often a page is folded (round %i)', async () => {
    const pushId = await acceptOne(t);
    const lanes = Array.from({ length: 6 }, (_, id) => lane(id, pick(channels)));
    await plan(pushId, lanes, [page('mi', 'a', 'b', 'c')]);
    let matched = 0;
    for (let move = await nextMove(pushId); move; move = await nextMove(pushId)) {
      const { write, newlyMatched } = move;
      const repeats = await Promise.all(Array.from({ length: 1 + below(3) }, () => fold(write)));
      expect(repeats.filter(({ state }) => state === 'folded')).toHaveLength(1);
      matched += newlyMatched;
      const columns = Object.values((await read(pushId)).channels);
      expect(columns.map(imbalanceOf).filter((imbalance) => imbalance !== 0)).toEqual([]);
      expect(columns.reduce((all, column) => all + column.matched, 0)).toBe(matched);
    }
    const record = await read(pushId);
    expect(record.status).toBe('done');
    expect(Object.values(record.channels).filter((column) => column.outstanding !== 0)).toEqual([]);
    expect(await ledgerExists(pushId)).toBe(false);
  });
});
