import type { Lane, LanePosition } from '@pushfleet/domain';
import { acceptOne } from '../testing/a-push';
import { intercepted, type Command } from '../testing/intercepted';
import { storeUnderTest } from '../testing/store-under-test';
import type { Store } from '../open-store';
import { Books } from './books';

const t = storeUnderTest();
const now = () => t.clock.now();

const LANE: Lane = { id: 1, channel: 'hms', profile: '_default', bucket: 'hms/_default', fromShard: 0, toShard: 256 };
const START: LanePosition = { shard: 0, objectId: '' };
const PAGE = 200;
const idsFrom = (from: number): readonly string[] =>
  Array.from({ length: PAGE }, (_, n) => String(from + n).padStart(32, 'a'));

async function planned(): Promise<string> {
  const pushId = await acceptOne(t);
  await t.store.ledger.plan({ pushId, lanes: [LANE], pages: [], books: [], now: now() });
  return pushId;
}

/** Folds a page that is large enough to stand beside the record. */
function fold(store: Store, pushId: string, at: { from: LanePosition; to: LanePosition | 'done'; first: number }) {
  const books = new Books('hms');
  books.acceptDevices(idsFrom(at.first));
  books.add('matched', PAGE);
  return store.ledger.fold({ pushId, part: { lane: LANE.id, from: at.from, to: at.to }, books, now: now() });
}

const wholeLane = (store: Store, pushId: string) => fold(store, pushId, { from: START, to: 'done', first: 0 });
const outcomes = (pushId: string) => t.store.outcomes.page({ pushIds: [pushId], filter: {}, limit: 1000 });
/** A frame and its number. */
const fields = (pushId: string) => t.redis.hlen(t.keys.frames(pushId));
const storeWith = (around: (command: Command, name: string) => Command): Store =>
  t.open({ redis: intercepted(t.redis, around) });

test('the frame of a page that is refused goes, whoever folded the page', async () => {
  const pushId = await planned();
  const next = { shard: 3, objectId: 'x' };
  const folds = await Promise.all([1, 2, 3].map((n) => fold(t.store, pushId, { from: START, to: next, first: n })));
  expect(folds.map(({ state }) => state).sort()).toEqual(['folded', 'stale', 'stale']);
  expect(await fields(pushId)).toBe(2);
  await fold(t.store, pushId, { from: next, to: 'done', first: 1000 });
  expect(await fields(pushId)).toBe(4);
  const { rows, isComplete } = await outcomes(pushId);
  expect([rows.length, isComplete]).toEqual([2 * PAGE, true]);
});

test('a fold that runs again, because its answer was lost, keeps its frame', async () => {
  const pushId = await planned();
  const again = storeWith((command, name) =>
    name === 'evalsha' ? (...args) => (command(...args) as Promise<unknown>).then(() => command(...args)) : command,
  );
  expect(await wholeLane(again, pushId)).toMatchObject({ state: 'stale' });
  expect(await outcomes(pushId)).toMatchObject({ rows: { length: PAGE }, isComplete: true });
});

test('a frame that was lost ahead of its fold, as in a failover, comes once more with it', async () => {
  const pushId = await planned();
  const losing = storeWith((command, name) => (name === 'hset' ? () => Promise.resolve(0) : command));
  expect(await wholeLane(losing, pushId)).toMatchObject({ state: 'folded' });
  expect(await outcomes(pushId)).toMatchObject({ rows: { length: PAGE }, isComplete: true });
  expect((await t.store.pushes.read(pushId))?.channels['hms']).toMatchObject({ matched: PAGE, accepted: PAGE });
});

test('a frame that Redis refuses ahead of its fold, as when it is full, comes once more with it', async () => {
  const pushId = await planned();
  const full = storeWith((command, name) => (name === 'hset' ? () => Promise.reject(new Error('OOM')) : command));
  expect(await wholeLane(full, pushId)).toMatchObject({ state: 'folded' });
  expect(await outcomes(pushId)).toMatchObject({ rows: { length: PAGE }, isComplete: true });
});

test('the fold of a push that is gone leaves nothing', async () => {
  const pushId = await planned();
  await t.redis.del(t.keys.pushRecord(pushId));
  expect(await wholeLane(t.store, pushId)).toMatchObject({ state: 'gone' });
  expect(await t.redis.exists(t.keys.frames(pushId))).toBe(0);
});

test('a push that has as many bytes of outcomes as it may have keeps no further frame', async () => {
  const pushId = await planned();
  const store = t.open({ outcomeBytes: PAGE * 25 });
  const next = { shard: 3, objectId: 'x' };
  await fold(store, pushId, { from: START, to: next, first: 0 });
  await fold(store, pushId, { from: next, to: 'done', first: 1000 });
  expect(await fields(pushId)).toBe(2);
  expect(await outcomes(pushId)).toMatchObject({ rows: { length: PAGE }, isComplete: false });
});
