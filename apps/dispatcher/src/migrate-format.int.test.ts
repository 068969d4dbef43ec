import { openRedis, openStore, type RedisClient, type Store } from '@pushfleet/store';
import { anApp, redisHarness, SECRET_KEY, unique } from '@pushfleet/testing';
import { openMigrator } from './migrate-format';

const harness = redisHarness();
const { signal: stopping } = new AbortController();
let redis: RedisClient;

beforeAll(async () => {
  redis = await openRedis({ url: harness.url, patience: 'wait', onError: () => undefined });
  harness.onClose(() => redis.quit());
});

/** Data of the format before this one, which no other process works with. */
async function earlierData(): Promise<{ readonly namespace: string; readonly store: Store }> {
  const namespace = unique(harness.namespace);
  const store = openStore({ redis, namespace, secretKey: SECRET_KEY, vendors: new Map() });
  await redis.hset(`${namespace}:format`, 'data', 1, 'accepts', 1);
  await store.apps.create(anApp());
  await store.installations.channels.noteFleet({ now: Date.now(), isFresh: () => Promise.resolve(true) });
  return { namespace, store };
}

/** What is told by a migrator; `meanwhile` comes behind its first line. */
async function toldBy(store: Store, meanwhile: () => unknown): Promise<readonly string[]> {
  const told: string[] = [];
  const info = (_: object, message: string): void => void (told.push(message) === 1 && meanwhile());
  await openMigrator({ store, stopping, log: { info } })();
  return told;
}

test('data are told to be migrated when all of them are', async () => {
  const { store } = await earlierData();
  expect(await toldBy(store, () => undefined)).toEqual(['migrating the data', 'migrated the data']);
  expect(await store.format.isSettled()).toBe(true);
});

test('a migration that another dispatcher has taken over is told to be left for later', async () => {
  const { namespace, store } = await earlierData();
  const told = await toldBy(store, () => redis.set(`${namespace}:lease:{format}`, 'another dispatcher'));
  expect(told).toEqual(['migrating the data', 'the migration is left for later']);
  expect(await store.format.isSettled()).toBe(false);
});

test('so is one that has to wait because a process of the earlier format has come back', async () => {
  const { store } = await earlierData();
  const old = { id: 'old', role: 'gateway', labels: {}, version: '0.1.0', since: 0, format: 1 };
  const told = await toldBy(store, () => store.processes.beat(old));
  expect(told).toEqual(['migrating the data', 'the migration is left for later']);
  expect(await store.format.isSettled()).toBe(false);
});
