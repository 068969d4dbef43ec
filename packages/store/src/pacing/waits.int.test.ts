import type { Lane, RecordedWait, StoredPage } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { Books } from '../pushes/books';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();
const HOUR_MS = 3_600_000;

const lane = (channel: string, profile: string, id = 1): Lane => ({
  ...{ id, channel, profile, bucket: `${channel}/${profile}` as const, fromShard: 0, toShard: 256 },
});

/** A push with 30 devices ahead on each of these lanes. */
async function campaign(lanes: readonly Lane[], pages: readonly StoredPage[] = []): Promise<string> {
  const pushId = await acceptOne(t);
  const columnOf = (channel: string, counter: string, count: number): Books => {
    const column = new Books(channel);
    column.add(counter, count);
    return column;
  };
  const books = [
    ...lanes.map(({ channel }) => columnOf(channel, 'expected', 30)),
    ...pages.map(({ channel, devices }) => columnOf(channel, 'outstanding', devices.length)),
  ];
  await t.store.ledger.plan({ pushId, lanes, pages, books, now: t.clock.now() });
  return pushId;
}

async function waiting(pushId: string): Promise<readonly RecordedWait[] | undefined> {
  const record = await t.store.pushes.read(pushId);
  const [told] = record ? await t.store.waits.tell([record]) : [];
  return told?.waiting;
}

const here = (profile: string) => ({ app: t.app, profile });
const hold = { since: 0, until: 0, probeAt: 0, probes: 0 };

test('what is under way waits for nothing', async () => {
  expect(await waiting(await campaign([lane('c-free', 'p')]))).toBeUndefined();
});

test('a pause is told with its devices, until the push expires; another profile waits for nothing', async () => {
  const channel = unique('c');
  const expiresAt = t.clock.now() + HOUR_MS;
  const pushId = await campaign([lane(channel, 'p'), lane(unique('c'), 'q', 2)]);
  await t.store.pacing.controls.set(channel, { state: 'paused', ...here('p'), since: 0 });
  expect(await waiting(pushId)).toEqual([{ channel, profile: 'p', reason: 'paused', until: expiresAt, devices: 30 }]);
  await t.store.pacing.controls.lift(channel, here('p'));
  expect(await waiting(pushId)).toBeUndefined();
});

test('stored pages count, and direct ones wait for pauses and breakers only', async () => {
  const channel = unique('c');
  const devices = [['o1'], ['o2', 'a "registration" ["'], ['o3']] as const;
  const page = { channel, profile: 'p', devices, dueAt: 0, tries: 1, direct: true };
  const pushId = await campaign([], [page]);
  const { breakers, vendorWaits } = t.store.pacing;
  await vendorWaits.note(channel, here('p'), { until: t.clock.now() + 5, reason: 'throttled' });
  expect(await waiting(pushId)).toBeUndefined();
  const probeAt = t.clock.now() + 9;
  const open = { state: 'open', since: 0, probeAt, openings: 1, reason: 'unreachable' } as const;
  await breakers.replace(channel, here('p'), { from: undefined, to: open });
  expect(await waiting(pushId)).toEqual([
    { channel, profile: 'p', reason: 'breaker-open', until: probeAt, devices: 3 },
  ]);
});

test.each([
  ['quota-exceeded', 'quota-exceeded'],
  ['expired', 'throttled'],
  ['unrecognised-answer', 'unrecognised-answer'],
  ['vendor-error', 'retrying'],
  ['unknown-outcome', 'retrying'],
  [undefined, 'retrying'],
] as const)('devices that are tried again later, or else are booked as %s, wait: %s', async (booksAs, reason) => {
  const channel = unique('c');
  const dueAt = t.clock.now() + 9000;
  const devices = [['o1'], ['a "dueAt":7, "booksAs":"']] as const;
  const page = { channel, profile: 'p', devices, tries: 1, direct: true, ...(booksAs ? { booksAs } : {}) };
  const pushId = await campaign(
    [lane(channel, 'q')],
    [
      { ...page, dueAt },
      { ...page, dueAt: dueAt - 1, booksAs: 'unreachable' },
    ],
  );
  expect(await waiting(pushId)).toEqual([{ channel, profile: 'p', reason, until: dueAt, devices: 4 }]);
  t.clock.advance(9000);
  expect(await waiting(pushId)).toBeUndefined();
});

test('a message that met a spent quota waits as long as the campaigns of its profile', async () => {
  const channel = unique('c');
  const page = { channel, profile: 'p', devices: [['o1']], dueAt: 0, tries: 1, direct: true } as const;
  const met = await campaign([], [{ ...page, booksAs: 'quota-exceeded' }]);
  const untried = await campaign([], [{ ...page, tries: 0 }]);
  const until = t.clock.now() + 5;
  await t.store.pacing.vendorWaits.note(channel, here('p'), { until, reason: 'quota-exceeded' });
  expect(await waiting(met)).toEqual([{ channel, profile: 'p', reason: 'quota-exceeded', until, devices: 1 }]);
  expect(await waiting(untried)).toBeUndefined();
});

test('a campaign tells the reason that a worker would meet first', async () => {
  const channel = unique('c');
  const pushId = await campaign([lane(channel, 'p')]);
  const { estimates, vendorWaits, pushHolds, controls } = t.store.pacing;
  const reasonNow = async () => (await waiting(pushId))?.map(({ reason, until }) => [reason, until - t.clock.now()]);
  await estimates.note({ pushId, channel, devicesPerSecond: 10, now: t.clock.now() });
  expect(await reasonNow()).toEqual([['budget-spent', 3000]]);
  await vendorWaits.note(channel, here('p'), { until: t.clock.now() + 5, reason: 'quota-exceeded' });
  expect(await reasonNow()).toEqual([['quota-exceeded', 5]]);
  const held = { ...hold, until: t.clock.now() + 77 };
  await pushHolds.replace(channel, { ...here('p'), pushId: unique('another') }, { from: undefined, to: held });
  expect(await reasonNow()).toEqual([['quota-exceeded', 5]]);
  await pushHolds.replace(channel, { ...here('p'), pushId }, { from: undefined, to: held });
  expect(await reasonNow()).toEqual([['unrecognised-answer', 77]]);
  await controls.set(channel, { state: 'paused', since: 0 });
  expect(await reasonNow()).toEqual([['paused', HOUR_MS]]);
  await controls.set(channel, { state: 'draining', since: 0 });
  expect(await reasonNow()).toEqual([['draining', HOUR_MS]]);
  await controls.set(channel, { state: 'draining', since: t.clock.now() });
  expect(await reasonNow()).toEqual([['unrecognised-answer', 77]]);
  await controls.set(channel, { state: 'discarding', since: 0 });
  expect(await reasonNow()).toBeUndefined();
});

test('a push that was cancelled, or is over, waits for nothing', async () => {
  const channel = unique('c');
  const pushId = await campaign([lane(channel, 'p')]);
  await t.store.pacing.controls.set(channel, { state: 'paused', since: 0 });
  await t.store.pushes.cancel(pushId, t.clock.now());
  expect(await waiting(pushId)).toBeUndefined();
});

test('an operator lets pushes of a scope go on, and no others', async () => {
  const channel = unique('c');
  const { pushHolds } = t.store.pacing;
  const scopes = [here('p'), here('q'), { app: 'another', profile: 'p' }];
  for (const of of scopes) await pushHolds.replace(channel, { ...of, pushId: 'x' }, { from: undefined, to: hold });
  expect(await pushHolds.lift(channel, here('p'))).toBe(1);
  expect(await pushHolds.lift(channel, { app: t.app })).toBe(1);
  expect((await pushHolds.list(channel)).map(({ app }) => app)).toEqual(['another']);
  expect(await pushHolds.lift(channel, {})).toBe(1);
  expect(await pushHolds.lift(channel, {})).toBe(0);
});
