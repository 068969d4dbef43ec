import { openRedis, openStore, type RedisClient, type Store } from '@pushfleet/store';
import { anApp, fillMasters, redisHarness, SECRET_KEY, startRedisServer, unique } from '@pushfleet/testing';
import { openPushRoomKeeper } from './keep-push-room';

const harness = redisHarness();
const { signal: stopping } = new AbortController();
let redis: RedisClient;
let store: Store;

beforeAll(async () => {
  const server = await startRedisServer();
  redis = await openRedis({ url: server.url, patience: 'wait', onError: () => undefined });
  harness.onClose(() => {
    redis.disconnect();
    return server.close();
  });
  await fillMasters(redis, 0.75);
});

beforeEach(() => {
  store = openStore({ redis, namespace: unique('fleet'), secretKey: SECRET_KEY, vendors: new Map() });
});

async function anAppWithPushes(count: number): Promise<{ readonly app: string; readonly pushIds: readonly string[] }> {
  const app = anApp();
  await store.apps.create(app);
  const now = Date.now();
  const push = {
    ...{ app: app.id, content: { data: { alert: 'x'.repeat(3000) }, sections: {} }, audience: {}, where: {} },
    ...{ prod: 'prod' as const, pushTime: now, expiresAt: now + 3_600_000, isScheduled: false },
  };
  const accepted = await store.acceptPushes(Array.from({ length: count }, () => push));
  return { app: app.id, pushIds: accepted.map(({ pushId }) => pushId) };
}

function keeper(maxBytes: number) {
  const told: unknown[] = [];
  const tell = (fields: object, text?: string): void => void told.push([fields, text]);
  const log = { error: tell, info: tell };
  return { told, keep: openPushRoomKeeper({ store, stopping, log: log as never }, maxBytes) };
}

const isRefused = (app: string): Promise<boolean> =>
  store.pushRoom.require(app).then(
    () => false,
    () => true,
  );

test('an app that fills Redis is refused and told of once, and once more when it has room', async () => {
  const { app, pushIds } = await anAppWithPushes(10);
  await anAppWithPushes(1);
  const { keep, told } = keeper(20_000);
  await keep();
  await keep();
  expect(await isRefused(app)).toBe(true);
  expect(told).toEqual([[expect.objectContaining({ app, ceiling: 20_000 }), expect.stringContaining('fill Redis')]]);
  for (const pushId of pushIds) await store.pushes.cancel(pushId, Date.now());
  await keep();
  await keep();
  expect(told.slice(1)).toEqual([[{ app }, 'an app may send pushes again']]);
});

test('the only app of a fleet leaves nobody room', async () => {
  const { app } = await anAppWithPushes(10);
  const { keep, told } = keeper(20_000);
  await keep();
  expect([await isRefused(app), told]).toEqual([false, []]);
});

test('one process looks for all', async () => {
  const { app } = await anAppWithPushes(10);
  await anAppWithPushes(1);
  await keeper(0).keep();
  const second = keeper(20_000);
  await second.keep();
  expect([await isRefused(app), second.told]).toEqual([false, []]);
});
