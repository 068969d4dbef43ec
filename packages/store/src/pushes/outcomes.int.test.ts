import type { Lane, LanePosition, PushRecord, Reason, StoredPage } from '@pushfleet/domain';
import { outcomeCounts, recordedCounts, seededRandom } from '@pushfleet/testing';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import { Books } from './books';
import type { OutcomeCursor, OutcomeFilter, OutcomeRow } from './outcome-pages';
import { RECORD } from './record-fields';

const t = storeUnderTest();
const now = () => t.clock.now();
const { below, pick } = seededRandom(Number(process.env['SEED'] ?? 20_261_123));

const lane = (id: number): Lane => ({
  ...{ id, channel: 'hms', profile: '_default', bucket: 'hms/_default', fromShard: 0, toShard: 256 },
});
const idOf = (n: number): string => String(n).padStart(32, 'a');
const REASONS = ['registration-gone', 'message-rejected', 'unreachable'] as const satisfies readonly Reason[];

/** What becomes of some devices: some are accepted, some refused, some deferred. */
function verdicts(ids: readonly string[]): { readonly books: Books; readonly deferred: readonly string[] } {
  const books = new Books('hms');
  const taken: string[] = [];
  const deferred: string[] = [];
  for (const objectId of ids) {
    const reason = below(4) === 0 ? pick(REASONS) : undefined;
    const kind = reason === 'unreachable' ? 'failed' : 'discarded';
    if (reason !== undefined) books.refuseDevice(kind, reason, { objectId, vendorCode: '7', vendorMessage: 'no' });
    else if (below(10) === 0) deferred.push(objectId);
    else taken.push(objectId);
  }
  books.acceptDevices(taken);
  books.add('outstanding', deferred.length);
  return { books, deferred };
}

const retriesOf = (ids: readonly string[]): readonly StoredPage[] =>
  ids.length === 0
    ? []
    : [{ channel: 'hms', profile: '_default', dueAt: 0, tries: 1, direct: false, devices: ids.map((id) => [id]) }];

async function foldRetry(pushId: string, page: number, ids: readonly string[]): Promise<void> {
  const { books, deferred } = verdicts(ids);
  books.add('outstanding', -ids.length);
  const write = { pushId, part: { page }, books, retries: retriesOf(deferred), now: now() };
  const [first, again] = [await t.store.ledger.fold(write), await t.store.ledger.fold(write)];
  expect([first.state, again.state]).toEqual(['folded', expect.stringMatching(/stale|gone/)]);
  for (const retry of first.retryPages) await foldRetry(pushId, retry, deferred);
}

/** Walks a lane in pages of random size; every fold comes twice, as from a worker that was killed behind it. */
async function walk(pushId: string, ids: readonly string[]): Promise<void> {
  let [at, from]: [number, LanePosition] = [0, { shard: 0, objectId: '' }];
  do {
    const some = ids.slice(at, at + below(400));
    at += some.length;
    const to = at === ids.length ? ('done' as const) : { shard: 0, objectId: `${at} ${below(1000)}` };
    const { books, deferred } = verdicts(some);
    books.add('matched', some.length);
    const write = { pushId, part: { lane: 1, from, to }, books, retries: retriesOf(deferred), now: now() };
    const folds = await Promise.all([t.store.ledger.fold(write), t.store.ledger.fold(write)]);
    expect(folds.map(({ state }) => state).sort()).toEqual(['folded', 'stale']);
    for (const retry of folds.flatMap(({ retryPages }) => retryPages)) await foldRetry(pushId, retry, deferred);
    if (to !== 'done') from = to;
  } while (at < ids.length);
}

async function pushed(ids: readonly string[], createdAt = now()): Promise<string> {
  const pushId = await acceptOne(t);
  await t.store.outcomes.expect(t.app, { pushId, createdAt, pushTime: now() });
  const refused = new Books('ios');
  refused.add('matched', 500);
  refused.refuse('discarded', 'platform-unsupported', { count: 500, samples: ['a', 'b'] });
  await t.store.ledger.plan({ pushId, lanes: [lane(1)], pages: [], books: [refused], now: now() });
  await walk(pushId, ids);
  return pushId;
}

async function rowsOf(pushId: string, filter: OutcomeFilter = {}, limit = 1 + below(999)) {
  const rows: OutcomeRow[] = [];
  let from: OutcomeCursor | undefined;
  let isComplete: boolean;
  do {
    const page = await t.store.outcomes.page({ pushIds: [pushId], filter, from, limit });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows);
    from = page.next;
    isComplete = page.isComplete;
  } while (from);
  return { rows, isComplete };
}

const record = async (pushId: string): Promise<PushRecord> => {
  const read = await t.store.pushes.read(pushId);
  if (!read) throw new Error('no record');
  return read;
};

test('outcomes add up to the record in every reason, each device once, whatever comes twice', async () => {
  for (let round = 0; round < 12; round += 1) {
    const ids = Array.from({ length: below(3000) }, (_, n) => idOf(n));
    const pushId = await pushed(ids);
    const { rows, isComplete } = await rowsOf(pushId);
    expect(outcomeCounts(rows)).toEqual(recordedCounts((await record(pushId)).channels));
    const named = rows.flatMap((row) => ('objectId' in row ? [row.objectId] : []));
    expect(named.sort()).toEqual([...ids].sort());
    expect(isComplete).toBe(true);
  }
});

test('a filter gives what the record counts for it', async () => {
  const pushId = await pushed(Array.from({ length: 2000 }, (_, n) => idOf(n)));
  const { channels } = await record(pushId);
  const gone = await rowsOf(pushId, { reason: 'registration-gone' });
  expect(gone.rows).toHaveLength(channels['hms']?.discarded['registration-gone'] ?? 0);
  expect(gone.rows[0]).toMatchObject({ outcome: 'discarded', vendorCode: '7', vendorMessage: 'no', at: now() });
  expect((await rowsOf(pushId, { outcome: 'accepted' })).rows).toHaveLength(channels['hms']?.accepted ?? 0);
  const other = await rowsOf(pushId, { channel: 'ios' });
  expect(other.rows).toEqual([expect.objectContaining({ count: 500, reason: 'platform-unsupported' })]);
});

test('a frame that is damaged hides no other, and the last page says that something is missing', async () => {
  const pushId = await pushed(Array.from({ length: 3000 }, (_, n) => idOf(n)));
  const whole = await rowsOf(pushId);
  await t.redis.lset(t.keys.outcomes(pushId), 1, 'no JSON');
  const { rows, isComplete } = await rowsOf(pushId, {}, 7);
  expect(isComplete).toBe(false);
  const [told, missing] = [new Set(rows.map((row) => JSON.stringify(row))), whole.rows.length - rows.length];
  expect(missing).toBeGreaterThan(0);
  expect(whole.rows.filter((row) => !told.has(JSON.stringify(row)))).toHaveLength(missing);
  const last = rows.at(-1);
  const name = last !== undefined && 'objectId' in last ? last.objectId : '';
  expect(await t.store.outcomes.of(pushId, name)).toMatchObject({ outcome: last?.outcome });
});

test('what the record itself keeps of outcomes may be damaged', async () => {
  const pushId = await pushed([]);
  await t.redis.hset(t.keys.pushRecord(pushId), RECORD.outcomes, 'no JSON');
  expect(await rowsOf(pushId)).toEqual({ rows: [], isComplete: false });
});

test('a push that is not done, and one that a process wrote which tells no outcomes, is not complete', async () => {
  const open = await acceptOne(t);
  await t.store.ledger.plan({ pushId: open, lanes: [lane(1)], pages: [], books: [], now: now() });
  expect((await rowsOf(open)).isComplete).toBe(false);
  const books = new Books('hms');
  books.add('matched', 3);
  books.accept(3);
  const part = { lane: 1, from: { shard: 0, objectId: '' }, to: 'done' as const };
  await t.store.ledger.fold({ pushId: open, part, books, now: now() });
  expect(await rowsOf(open)).toEqual({ rows: [], isComplete: false });
});

test('the oldest audience pushes of an app go first, and no push keeps more than the limit', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => idOf(n));
  const pushes: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    t.clock.advance(1000);
    pushes.push(await pushed(ids));
  }
  const bytes = await Promise.all(pushes.map((id) => t.redis.memory('USAGE', t.keys.outcomes(id), 'SAMPLES', 0)));
  const store = t.open({ outcomeBytes: Number(bytes[1]) + Number(bytes[2]) });
  await store.outcomes.trim(t.app, new AbortController().signal);
  expect(await Promise.all(pushes.map(async (id) => (await rowsOf(id)).isComplete))).toEqual([false, true, true]);
  expect(await t.redis.exists(t.keys.outcomes(pushes[0] ?? ''))).toBe(0);
  const tight = t.open({ outcomeBytes: 10_000 });
  const pushId = await acceptOne(t);
  await tight.ledger.plan({ pushId, lanes: [lane(1)], pages: [], books: [], now: now() });
  const books = new Books('hms');
  books.add('matched', ids.length);
  books.acceptDevices(ids);
  const part = { lane: 1, from: { shard: 0, objectId: '' }, to: 'done' as const };
  await tight.ledger.fold({ pushId, part, books, now: now() });
  expect(await rowsOf(pushId)).toEqual({ rows: [], isComplete: false });
});

test('a push that was scheduled days ahead is no older than one that was sent before it', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => idOf(n));
  const scheduledAt = now();
  t.clock.advance(3 * 86_400_000);
  const before = await pushed(ids);
  t.clock.advance(1000);
  const scheduled = await pushed(ids, scheduledAt);
  const bytes = await t.redis.memory('USAGE', t.keys.outcomes(scheduled), 'SAMPLES', 0);
  const store = t.open({ outcomeBytes: Number(bytes) });
  await store.outcomes.trim(t.app, new AbortController().signal);
  expect((await rowsOf(before)).isComplete).toBe(false);
  expect((await rowsOf(scheduled)).isComplete).toBe(true);
});

test('they stay as long as the record', async () => {
  const pushId = await pushed(Array.from({ length: 100 }, (_, n) => idOf(n)));
  const [record, outcomes] = await Promise.all(
    [t.keys.pushRecord(pushId), t.keys.outcomes(pushId)].map((key) => t.redis.pttl(key)),
  );
  expect(outcomes).toBeGreaterThan(0);
  expect(Math.abs((record ?? 0) - (outcomes ?? 0))).toBeLessThan(600_000);
});

test('those of a push that a process of an earlier release closes, or that is gone, do not stay for ever', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => idOf(n));
  const pushId = await acceptOne(t);
  await t.store.outcomes.expect(t.app, { pushId, createdAt: now(), pushTime: 0 });
  await t.store.ledger.plan({ pushId, lanes: [lane(1)], pages: [], books: [], now: now() });
  const books = new Books('hms');
  books.add('matched', ids.length);
  books.acceptDevices(ids);
  const to = { shard: 1, objectId: idOf(0) };
  await t.store.ledger.fold({ pushId, part: { lane: 1, from: { shard: 0, objectId: '' }, to }, books, now: now() });
  expect(await t.redis.pttl(t.keys.outcomes(pushId))).toBeGreaterThan(0);
  await t.redis.del(t.keys.pushRecord(pushId));
  await t.store.outcomes.trim(t.app, new AbortController().signal);
  expect(await t.redis.exists(t.keys.outcomes(pushId))).toBe(0);
});

describe('of one device', () => {
  /** A push whose groups are told with its plan. */
  async function told(
    groups: readonly (readonly [reason: Reason | undefined, ids: readonly string[]])[],
  ): Promise<string> {
    const pushId = await acceptOne(t);
    await t.store.ledger.plan({ pushId, lanes: [lane(1)], pages: [], books: [], now: now() });
    let at = 0;
    for (const [reason, ids] of groups) {
      const books = new Books('hms');
      books.add('matched', ids.length);
      if (reason === undefined) books.acceptDevices(ids);
      else for (const objectId of ids) books.refuseDevice('discarded', reason, { objectId, vendorCode: '7' });
      const from = { shard: 0, objectId: at === 0 ? '' : `${at}` };
      const to = (at += 1) === groups.length ? ('done' as const) : { shard: 0, objectId: `${at}` };
      await t.store.ledger.fold({ pushId, part: { lane: 1, from, to }, books, now: now() });
    }
    return pushId;
  }
  const many = (count: number, first: number) => Array.from({ length: count }, (_, n) => idOf(first + n));

  it('is found in frames of names that are packed, in those of text, and in the record', async () => {
    const pages = Array.from({ length: 70 }, (_, i) => [undefined, many(20, i * 20)] as const);
    const large = await told([...pages, ['message-rejected', many(12, 5000)]]);
    for (const n of [0, 777, 1399])
      expect(await t.store.outcomes.of(large, idOf(n))).toEqual({ channel: 'hms', outcome: 'accepted' });
    const refused = { channel: 'hms', outcome: 'discarded', reason: 'message-rejected', vendorCode: '7' };
    expect(await t.store.outcomes.of(large, idOf(5007))).toEqual(refused);
    for (const other of [idOf(1400), 'a', '', '"', idOf(3).slice(0, 28), `${idOf(3)}aaaa`])
      expect([other, await t.store.outcomes.of(large, other)]).toEqual([other, undefined]);
    const odd = await told([
      [undefined, many(20, 0).map((id) => `${id}.x`)],
      ['message-rejected', ['one']],
    ]);
    expect(await t.store.outcomes.of(odd, `${idOf(19)}.x`)).toMatchObject({ outcome: 'accepted' });
    expect(await t.store.outcomes.of(odd, 'one')).toMatchObject(refused);
    expect(await t.store.outcomes.of('none', 'one')).toBeUndefined();
  });
});
