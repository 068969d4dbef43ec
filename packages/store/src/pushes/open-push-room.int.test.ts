import { LIMITS } from '@pushfleet/domain';
import { fakeClock, fillMasters, mastersOf, SECRET_KEY, unique } from '@pushfleet/testing';
import { shardOf } from '../kit/shards';
import { openStore, type Store } from '../open-store';
import { storeKeys } from '../store-keys';
import { ownRedis } from '../testing/own-redis';
import type { NewPush } from './new-push';
import { OpenPushesFull } from './open-pushes-full';

const own = ownRedis();
const { signal } = new AbortController();
const clock = fakeClock();
let namespace: string;
let store: Store;
let other: Store;

const open = (): Store =>
  openStore({ redis: own.redis, namespace, secretKey: SECRET_KEY, vendors: new Map(), now: clock.now });

beforeEach(() => {
  namespace = unique('fleet');
  [store, other] = [open(), open()];
});
afterEach(() => setMaxmemory(0));

async function setMaxmemory(bytes: number): Promise<void> {
  for (const master of mastersOf(own.redis)) await master.config('SET', 'maxmemory', String(bytes));
}

const fill = (share: number): Promise<number> => fillMasters(own.redis, share);

function aPush(app: string, changes: Partial<NewPush> = {}): NewPush {
  const now = clock.now();
  const where = { installationId: 'a' };
  const times = { pushTime: now, expiresAt: now + 3_600_000 };
  const content = { data: { alert: 'hi', text: 'x'.repeat(3500) }, sections: {} };
  const rest = { audience: {}, where, prod: 'prod', isScheduled: false } as const;
  return { app, content, ...times, ...rest, ...changes };
}

const send = (app: string, count: number, changes?: (i: number) => Partial<NewPush>) =>
  store.acceptPushes(Array.from({ length: count }, (_, i) => aPush(app, changes?.(i))));

const look = (maxBytes?: number, stopping = signal) =>
  store.pushRoom.look({ maxBytes, stopping, portion: (work) => work() });

/** What a process that did not look says to a push of an app. */
const refusal = (app: string): Promise<unknown> => other.pushRoom.require(app).catch((error: unknown) => error);

/** What is known is asked for again. */
const later = (): void => clock.advance(2000);

it('an app with too many open pushes may send no more, and others may', async () => {
  await fill(0.75);
  const [hog, small] = [unique('app'), unique('app')];
  await send(hog, 30);
  await send(small, 2);
  expect([...((await look(50_000)) ?? [])].map(([app]) => app)).toEqual([hog]);
  expect(await refusal(hog)).toEqual(expect.any(OpenPushesFull));
  expect(String(await refusal(hog))).toMatch(/APP_OPEN_PUSHES_BYTES: .* take \d+ bytes, of 50000 /);
  expect(await refusal(small)).toBeUndefined();
});

it('counts what a push takes of Redis, and of many in one shard all', async () => {
  await fill(0.75);
  const [app, count] = [unique('app'), 450];
  const [pushes, before] = [await send(app, count), await look(1)];
  const records = await Promise.all(pushes.map(({ pushId }) => bytesOf(pushId)));
  const all = records.reduce((sum, bytes) => sum + bytes, 0);
  expect(before?.get(app)).toEqual({ bytes: all + 1000 * count, ceiling: 1 });
});

it('some of many in one shard stand for those of each app', async () => {
  await fill(0.75);
  const [hog, small] = [unique('app'), unique('app')];
  await store.acceptPushes([hog, hog, hog, small].flatMap((app) => Array.from({ length: 300 }, () => aPush(app))));
  const full = await look(1);
  const [most = 0, rest = 0] = [hog, small].map((app) => full?.get(app)?.bytes);
  // Of a hundred that are chosen, 75 are those of the one, give or take.
  expect(most / (most + rest)).toBeGreaterThan(0.5);
  expect(most / (most + rest)).toBeLessThan(0.95);
});

const bytesOf = async (pushId: string): Promise<number> =>
  (await own.redis.memory('USAGE', storeKeys(namespace).pushRecord(pushId), 'SAMPLES', 0)) ?? NaN;

it('whoever chooses the shard of his pushes is found like anybody', async () => {
  await fill(0.75);
  const app = unique('app');
  const ids = Array.from({ length: 20_000 }, (_, n) => `r${n}`).filter((id) => shardOf(`${app}:${id}`) === 7);
  expect(ids.length).toBeGreaterThan(30);
  await send(app, 30, (i) => ({ reqId: ids[i], by: 'app-key' }));
  expect((await look(50_000))?.has(app)).toBe(true);
});

it('may send again once enough are done', async () => {
  await fill(0.75);
  const app = unique('app');
  const pushes = await send(app, 30);
  await look(50_000);
  expect(await refusal(app)).toBeInstanceOf(OpenPushesFull);
  for (const { pushId } of pushes.slice(5)) await store.pushes.cancel(pushId, clock.now());
  expect((await look(50_000))?.size).toBe(0);
  later();
  expect(await refusal(app)).toBeUndefined();
});

it('nobody is refused while Redis has room, or where it has no limit', async () => {
  const app = unique('app');
  await send(app, 30);
  for (const share of [0.6, 1e-9]) {
    await fill(0.75);
    await look(50_000);
    later();
    expect(await refusal(app)).toBeInstanceOf(OpenPushesFull);
    await (share === 0.6 ? fill(share) : setMaxmemory(0));
    expect((await look(50_000))?.size).toBe(0);
    later();
    expect(await refusal(app)).toBeUndefined();
  }
});

it('an app may have a share of one master, or as much as it likes', async () => {
  const maxmemory = await fill(0.75);
  const app = unique('app');
  await send(app, 30);
  expect([(await look())?.size, (await look(0))?.size]).toEqual([0, 0]);
  const ceiling = Math.floor((maxmemory * LIMITS.openPushesShare.value) / 100);
  await send(app, Math.ceil(ceiling / 3500));
  expect((await look())?.get(app)).toEqual({ bytes: expect.any(Number) as number, ceiling });
  expect((await look(0))?.size).toBe(0);
});

it('a look that is cut off changes nothing', async () => {
  await fill(0.75);
  const app = unique('app');
  await send(app, 30);
  expect(await look(50_000, AbortSignal.abort())).toBeUndefined();
  expect(await refusal(app)).toBeUndefined();
});

it('a damaged note refuses nobody, and a damaged record hinders no look', async () => {
  await fill(0.75);
  const [hog, app] = [unique('app'), unique('app')];
  await send(hog, 30);
  const [spoiled] = await send(app, 1);
  const keys = storeKeys(namespace);
  await own.redis.set(keys.pushRecord(spoiled?.pushId ?? ''), 'spoiled');
  expect((await look(50_000))?.has(hog)).toBe(true);
  for (const text of ['spoiled', '[]', `{"${hog}":{"bytes":"many"}}`]) {
    later();
    await own.redis.set(keys.fullOfPushes(), text);
    expect(await refusal(hog)).toBeUndefined();
  }
});
