import { unique } from '@pushfleet/testing';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import { Books } from './books';
import { shardOfPush } from './keys';

const t = storeUnderTest();
const now = () => t.clock.now();

const LANE = { id: 0, channel: 'hms', profile: '_default', bucket: 'hms/_default', fromShard: 0, toShard: 256 };

/** A push that is done, with one device that the vendor took. */
async function donePush(app: string, notificationId?: string): Promise<string> {
  const pushId = await acceptOne(t, { app, ...(notificationId === undefined ? {} : { notificationId }) });
  await t.store.ledger.plan({ pushId, lanes: [LANE], pages: [], books: [], now: now() });
  const books = new Books('hms');
  books.add('matched', 1);
  books.accept(1);
  const part = { lane: 0, from: { shard: 0, objectId: '' }, to: 'done' as const };
  await t.store.ledger.fold({ pushId, part, books, now: now() });
  await t.store.pushes.index(app, [{ pushId, createdAt: now() }]);
  return pushId;
}

const damaged = (field: string, text: string) => async (pushId: string) =>
  void (await t.redis.hset(t.keys.pushRecord(pushId), field, text));

describe.each([
  ['text is no JSON', damaged('push', 'no JSON')],
  ['text is cut', damaged('push', '{"content":{"data":{"alert":"hi')],
  ['text is no push', damaged('push', '5')],
  ['condition is no JSON', damaged('where', '{"a')],
])('a record whose %s', (_, damage) => {
  it('is told as damaged, with what can still be read, and hides no other push', async () => {
    const app = unique('app');
    const [first, second] = [await donePush(app), await donePush(app)];
    await damage(first);
    const told = {
      objectId: first,
      status: 'done',
      warnings: [expect.objectContaining({ message: expect.stringContaining('damaged') })],
    };
    expect(await t.store.pushes.read(first)).toMatchObject({ ...told, channels: { hms: { accepted: 1 } } });
    const both = expect.arrayContaining([expect.objectContaining(told), expect.objectContaining({ objectId: second })]);
    expect(await t.store.pushes.list(app, { limit: 10, skip: 0 })).toEqual(both);
    expect((await t.store.pushes.filter(app, { limit: 10, skip: 0 })).results).toEqual(both);
    const search = { app, limit: 10, isWanted: () => true };
    expect((await t.store.pushes.search(search)).results).toEqual(both);
    expect(await t.store.pushes.find(app, first)).toEqual([expect.objectContaining(told)]);
  });
});

/** What is taken of a push after its vendor was called must be booked, or the vendor is called again. */
it.each([
  'c|hms|matched',
  'c|hms|accepted',
  'c|hms|f:vendor-error',
  'n|hms|vendor-error|',
  'open',
  'told',
  'addressed',
  'keep',
])('a page is folded, and its push ends, where the field %s is damaged', async (field) => {
  const pushId = await acceptOne(t, { app: unique('app') });
  await t.store.ledger.plan({ pushId, lanes: [LANE], pages: [], books: [], now: now() });
  await damaged(field, 'x y')(pushId);
  const books = new Books('hms');
  const devices = Array.from({ length: 500 }, (_, i) => `a device with a long name ${i}`);
  books.add('matched', 501);
  books.acceptDevices(devices);
  books.refuseDevice('failed', 'vendor-error', { objectId: 'o', vendorCode: '', vendorMessage: '' });
  const part = { lane: 0, from: { shard: 0, objectId: '' }, to: 'done' as const };
  const folded = await t.store.ledger.fold({ pushId, part, books, now: now() });
  expect([folded.state, (await t.store.pushes.read(pushId))?.status]).toEqual(['folded', 'done']);
});

it('a page is folded where the total of all pushes is damaged', async () => {
  const app = unique('app');
  const first = await donePush(app);
  await t.redis.hset(t.keys.totals(shardOfPush(first)), 'c|hms|accepted', 'x');
  const pushId = await acceptOne(t, { app, reqId: unique('r') });
  await t.redis.hset(t.keys.totals(shardOfPush(pushId)), 'c|hms|accepted', 'x', 'c|hms|matched', 'x');
  await t.store.ledger.plan({ pushId, lanes: [LANE], pages: [], books: [], now: now() });
  const books = new Books('hms');
  books.add('matched', 1);
  books.accept(1);
  const part = { lane: 0, from: { shard: 0, objectId: '' }, to: 'done' as const };
  await expect(t.store.ledger.fold({ pushId, part, books, now: now() })).resolves.toMatchObject({ state: 'folded' });
  for (const id of [first, pushId]) await t.redis.del(t.keys.totals(shardOfPush(id)));
});

it.each([
  ['a receipt', 'c|hms|delivered', receipt],
  ['a message that lapsed', 'c|own|lapsed', lapse],
])('%s is counted where what was counted before is damaged', async (_, field, count) => {
  const pushId = await donePush(unique('app'));
  const totals = t.keys.totals(shardOfPush(pushId));
  await damaged(field, 'x y')(pushId);
  await t.redis.hset(totals, field, 'x y');
  await count(pushId);
  const found = [await t.redis.hget(t.keys.pushRecord(pushId), field), await t.redis.hget(totals, field)];
  await t.redis.del(totals);
  expect(found).toEqual(['1', '1']);
});

it('a push that cannot be read is closed where what is outstanding is damaged', async () => {
  const pushId = await acceptOne(t, { app: unique('app') });
  await t.store.ledger.plan({ pushId, lanes: [LANE], pages: [], books: [], now: now() });
  for (const field of ['push', 'c|hms|outstanding']) await damaged(field, 'x y')(pushId);
  expect(await t.store.closed.giveUp(pushId, now())).toBe(true);
  expect(await t.store.pushes.read(pushId)).toMatchObject({ status: 'error', channels: {} });
});

it.each(['expected', 'matched', 'outstanding'])('an estimate is noted where what is %s is damaged', async (kind) => {
  const pushId = await acceptOne(t, { app: unique('app') });
  await t.store.ledger.plan({ pushId, lanes: [LANE], pages: [], books: [], now: now() });
  await damaged(`c|hms|${kind}`, 'x y')(pushId);
  await t.store.pacing.estimates.note({ pushId, channel: 'hms', devicesPerSecond: 1, now: now() });
  expect(await t.redis.hget(t.keys.pushRecord(pushId), 'eta')).toBe(`hms=${now()}`);
});

async function receipt(pushId: string): Promise<void> {
  const app = (await t.store.pushes.read(pushId))?.app ?? '';
  await t.store.receipts.count({ app, pushId, channel: 'hms', kind: 'delivered', registrationId: unique('r') });
}

async function lapse(pushId: string): Promise<void> {
  const [app, installationIds, expiresAt] = [unique('app'), [unique('i')], Date.now() + 60_000];
  for (const id of [pushId, unique('p')])
    await t.store.mailboxes.put({ push: { app, pushId: id, text: '{}', expiresAt }, installationIds, limit: 1 });
}
