import { unique } from '@pushfleet/testing';
import { ALL_SHARDS } from '../kit/shards';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';
import { Books } from './books';
import { ID_BYTES } from './push-ids';

const t = storeUnderTest();
const { signal: stopping } = new AbortController();
const HOUR_MS = 3_600_000;
const LIMIT = 50;

/** The scripts read the clock of Redis. */
beforeAll(() => t.clock.set(Date.now()));

interface Sent {
  readonly app?: string;
  readonly devices?: readonly string[];
  readonly hours?: number;
  readonly bytes?: number;
}

/** A push of the own channel that is done and waits in the mailboxes of its devices. */
async function send({
  app = t.app,
  devices = [unique('device')],
  hours = 24,
  bytes = 4000,
}: Sent = {}): Promise<string> {
  const expiresAt = t.clock.now() + hours * HOUR_MS;
  const pushId = await acceptOne(t, { app, expiresAt });
  const push = { pushId, app, text: JSON.stringify({ alert: 'x'.repeat(bytes) }), expiresAt };
  await t.store.mailboxes.put({ push, installationIds: devices, limit: LIMIT });
  const books = new Books('own');
  for (const name of ['matched', 'accepted']) books.add(name, devices.length);
  await t.store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now: t.clock.now() });
  return pushId;
}

async function sendMany(count: number, wish: Sent = {}): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await send(wish));
  return ids;
}

const trimTo = (maxBytes: number): Promise<number> => t.store.ownTexts.trim({ maxBytes, stopping });
const textsOf = (ids: readonly string[]) => Promise.all(ids.map((id) => t.store.mailboxes.message(id)));
const isKept = async (ids: readonly string[]): Promise<readonly boolean[]> =>
  (await textsOf(ids)).map((text) => text !== undefined);
const bytesOf = async (ids: readonly string[]): Promise<number> => {
  const sizes = await Promise.all(ids.map((id) => t.redis.memory('USAGE', t.keys.ownMessage(id))));
  return sizes.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
};
/** What the list counts for a text. */
const listedBytes = async (): Promise<number> =>
  Math.max(...(await entries()).map((entry) => Number.parseInt(entry.slice(ID_BYTES), 10)));
const ownBooks = async (pushId: string) => (await t.store.pushes.read(pushId))?.channels['own'];
const totalLapsed = async (): Promise<number> =>
  (await t.store.deviceTotals()).find(({ channel, value }) => channel === 'own' && value === 'lapsed')?.count ?? 0;
const entries = async (): Promise<readonly string[]> =>
  (await Promise.all(ALL_SHARDS.map((shard) => t.redis.lrange(t.keys.ownTexts(shard), 0, -1)))).flat();

beforeEach(() => trimTo(0));

it('an app that pushes 4 KB to devices that it invents has its share of the room, and another loses nothing', async () => {
  const quiet = await sendMany(20, { app: unique('quiet'), hours: 1 });
  const attack = await sendMany(400);
  const maxBytes = 500_000;
  expect(await bytesOf(attack)).toBeGreaterThan(3 * maxBytes);
  const removed = await trimTo(maxBytes);
  const left = await bytesOf([...quiet, ...attack]);
  expect(left).toBeLessThanOrEqual(maxBytes);
  expect(left).toBeGreaterThan(0.9 * maxBytes);
  expect((await isKept(quiet)).every(Boolean)).toBe(true);
  expect((await isKept(attack)).filter((kept) => !kept)).toHaveLength(removed);
});

it('texts that fit together are kept, and one that is written again is counted once', async () => {
  const ids = await sendMany(5);
  const device = unique('device');
  for (const pushId of ids) {
    const again = { pushId, app: t.app, text: '{}', expiresAt: t.clock.now() + HOUR_MS };
    await t.store.mailboxes.put({ push: again, installationIds: [device], limit: LIMIT });
  }
  expect(await entries()).toHaveLength(5);
  expect(await trimTo(5 * (await listedBytes()))).toBe(0);
  expect(await isKept(ids)).toEqual([true, true, true, true, true]);
});

it('those go first that expire first, and they have lapsed for the devices that waited', async () => {
  const late = await send({ hours: 100 });
  const soon = await send({ hours: 2, devices: ['one', 'two', 'three'] });
  await t.store.receipts.count({ app: t.app, pushId: soon, channel: 'own', kind: 'delivered', registrationId: 'one' });
  const before = await totalLapsed();
  expect(await trimTo(await listedBytes())).toBe(1);
  expect(await isKept([soon, late])).toEqual([false, true]);
  expect(await ownBooks(soon)).toMatchObject({ accepted: 3, delivered: 1, lapsed: 2 });
  expect(await ownBooks(late)).toMatchObject({ accepted: 1, lapsed: 0 });
  expect(await totalLapsed()).toBe(before + 2);
});

it('one that lapsed counts no second time when its reference makes room, nor when the push expires', async () => {
  const device = unique('device');
  const pushId = await send({ devices: [device], hours: 1 });
  await trimTo(0);
  const before = await totalLapsed();
  await sendMany(LIMIT, { devices: [device], hours: 2 });
  expect(await t.store.presence.attach(t.app, device, { node: 'n', connection: 'c' })).toMatchObject({
    references: expect.not.arrayContaining([expect.stringContaining(pushId)]) as unknown,
  });
  expect(await ownBooks(pushId)).toMatchObject({ accepted: 1, lapsed: 1 });
  expect(await totalLapsed()).toBe(before);
  t.clock.advance(HOUR_MS);
  expect(await ownBooks(pushId)).toMatchObject({ accepted: 1, lapsed: 1 });
  t.clock.set(Date.now());
});

it('one for more than a thousand devices goes with the others', async () => {
  const pushId = await send({ devices: Array.from({ length: 1001 }, () => unique('device')) });
  expect(await trimTo(0)).toBe(1);
  expect(await ownBooks(pushId)).toMatchObject({ accepted: 1001, lapsed: 1001 });
});

it('those of an app below its share stay though its records are gone, and nothing is left of what goes', async () => {
  const quiet = await sendMany(3, { app: unique('quiet'), hours: 1 });
  const loud = await sendMany(12);
  await t.store.closed.trim({ maxBytes: 0, stopping });
  expect(await isKept([...quiet, ...loud])).toEqual(Array.from({ length: 15 }, () => true));
  expect(await trimTo(6 * (await listedBytes()))).toBe(9);
  expect(await isKept(quiet)).toEqual([true, true, true]);
  const names = [...loud, ...quiet].map((pushId) => t.keys.pushRecord(pushId));
  expect(await Promise.all(names.map((name) => t.redis.exists(name)))).toEqual(names.map(() => 0));
});

it('a push whose next page comes later has its text again for the devices of that page', async () => {
  const pushId = await send();
  await trimTo(0);
  const device = unique('device');
  const push = { pushId, app: t.app, text: '{"alert":"hi"}', expiresAt: t.clock.now() + HOUR_MS };
  await t.store.mailboxes.put({ push, installationIds: [device], limit: LIMIT });
  expect(await isKept([pushId])).toEqual([true]);
  expect(await entries()).toHaveLength(1);
});

it('texts that devices confirmed leave the list', async () => {
  const ids = await sendMany(3, { devices: ['one'] });
  for (const pushId of ids)
    await t.store.receipts.count({ app: t.app, pushId, channel: 'own', kind: 'delivered', registrationId: 'one' });
  expect(await isKept(ids)).toEqual([false, false, false]);
  expect(await trimTo(1e9)).toBe(0);
  expect(await entries()).toEqual([]);
});

it('texts stay when the process stops', async () => {
  const ids = await sendMany(1);
  expect(await t.store.ownTexts.trim({ maxBytes: 0, stopping: AbortSignal.abort() })).toBe(0);
  expect(await isKept(ids)).toEqual([true]);
});
