import { LIMITS } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { aPush } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import type { PushPosition } from './look';

const t = storeUnderTest();
const HOUR_MS = 3_600_000;

/** Ids that no record was ever written for, as those of old pushes are. */
const goneIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${String(i).padStart(14, '0')}0a`);

const list = (app: string, ids: readonly string[], createdAt: number): Promise<void> =>
  t.store.pushes.index(
    app,
    ids.map((pushId) => ({ pushId, createdAt })),
  );

async function pushesOf(app: string, count: number): Promise<readonly string[]> {
  const accepted = await t.store.acceptPushes(Array.from({ length: count }, () => aPush(t, { app })));
  const ids = accepted.map(({ pushId }) => pushId);
  await list(app, ids, t.clock.now());
  return ids;
}

it('a filter looks at a bounded number of pushes beside those that it tells and skips, and goes on', async () => {
  const app = unique('filtered');
  const [oldest = ''] = await pushesOf(app, 1);
  t.clock.advance(10);
  const most = LIMITS.pushesFiltered.value;
  // One more than a request of these looks at.
  const ids = goneIds(most + 6);
  for (let i = 0; i < ids.length; i += 1000) await list(app, ids.slice(i, i + 1000), t.clock.now());
  const wish = { limit: 3, skip: 2, status: 'in-queue' } as const;
  const first = await t.store.pushes.filter(app, wish);
  expect(first).toMatchObject({ results: [], lookedAt: most + 5, end: { createdAt: t.clock.now() } });
  const second = await t.store.pushes.filter(app, { ...wish, skip: 0, after: first.end });
  expect(second.results.map(({ objectId }) => objectId)).toEqual([oldest]);
  expect([second.lookedAt, second.end]).toEqual([2, undefined]);
});

it('no push is told twice that stands in a list to which others come meanwhile', async () => {
  const app = unique('filtered');
  const ids = await pushesOf(app, 250);
  const signal = Object.assign(new AbortController().signal, {
    // Asked before each chunk is looked at.
    throwIfAborted: () => {
      t.clock.advance(1);
      coming.push(pushesOf(app, 7));
    },
  });
  const coming: Promise<unknown>[] = [];
  const { results } = await t.store.pushes.filter(app, { limit: 250, skip: 0, status: 'in-queue', signal });
  await Promise.all(coming);
  expect(coming.length).toBeGreaterThan(2);
  const told = results.map(({ objectId }) => objectId);
  expect(new Set(told).size).toBe(told.length);
  expect(new Set(told)).toEqual(new Set(ids));
});

it('pages of a filter follow each other without leaving out or repeating any, by skip and by cursor', async () => {
  const app = unique('filtered');
  const ids = await pushesOf(app, 9);
  await t.store.pushes.cancel(ids[4] ?? '', t.clock.now());
  const wish = { limit: 3, isLiveOnly: true };
  const told: string[] = [];
  let after: PushPosition | undefined;
  do {
    const { results, end } = await t.store.pushes.filter(app, { ...wish, skip: 0, after });
    told.push(...results.map(({ objectId }) => objectId));
    after = end;
  } while (after);
  expect(told).toHaveLength(8);
  expect(new Set(told)).toEqual(new Set(ids.filter((_, i) => i !== 4)));
  const skipped = await t.store.pushes.filter(app, { ...wish, skip: 3 });
  expect(skipped.results.map(({ objectId }) => objectId)).toEqual(told.slice(3, 6));
});

describe('a list', () => {
  it('forgets ids whose records are gone, once they are older than a push that is being accepted', async () => {
    const app = unique('tidied');
    const [kept = ''] = await pushesOf(app, 1);
    await list(app, goneIds(150), t.clock.now());
    t.clock.advance(2 * HOUR_MS);
    const young = goneIds(250).slice(150);
    // So many that the list is tidied for certain.
    await list(app, young, t.clock.now());
    const listed = await t.redis.zrange(t.keys.pushesOf(app), '0', '-1');
    expect(new Set(listed)).toEqual(new Set([kept, ...young]));
  });
});
