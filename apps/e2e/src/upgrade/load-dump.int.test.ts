import { channelOfVendor } from '@pushfleet/channels';
import { openRedis, openStore, type RedisClient, type Store } from '@pushfleet/store';
import { startRedisServer, type RedisServer } from '@pushfleet/testing';
import { loadDump, type Dumped } from './load-dump';

const SETTLE_MS = 600_000;

let server: RedisServer;
let redis: RedisClient;
let store: Store;
let before: Dumped;
let now = Date.now();

beforeAll(async () => {
  server = await startRedisServer();
  before = await loadDump('format-1.ndjson.br', server.url);
  const onError = (error: Error): never => {
    throw error;
  };
  redis = await openRedis({ url: server.url, patience: 'wait', onError });
  const secretKey = before.secretKey;
  store = openStore({ redis, namespace: 'pushfleet', secretKey, vendors: channelOfVendor, now: () => now });
});
afterAll(async () => {
  await redis.quit();
  await server.close();
});

test('a process of this version can work with the data, and says that they are of another format', async () => {
  await store.format.check();
  await store.sealing.prove();
  expect(await store.format.difference()).toMatch(/of format 2 and runs beside those of format 1; .* waits for/);
});

test('keys, profiles, users and tokens are readable', async () => {
  const { app, account } = before;
  expect(await store.apps.get(app.id)).toMatchObject(app);
  for (const channel of ['hms', 'mz']) {
    const profile = await store.profiles.get({ app: app.id, channel, profile: '_default' });
    expect(profile?.value).toMatchObject({ appSecret: 'sim-secret' });
  }
  expect((await store.users.get(account.userId))?.user.name).toBe(account.name);
  const token = await store.macTokens.find(account.access_token);
  expect(token).toMatchObject({ macKey: account.mac_key, macAlgorithm: account.mac_algorithm });
});

test('the books of a campaign that is half sent are readable, and so is what waits', async () => {
  const { app, pushes, devices } = before;
  const half = (await store.pushes.read(pushes.campaign))?.channels;
  expect(half?.['mz']).toMatchObject({ expected: devices.mz, matched: 200, accepted: 200, outstanding: 0 });
  expect((await store.pushes.toSend(pushes.campaign))?.isDispatched).toBe(true);
  const scheduled = await store.schedule.list(app.id, { limit: 10, skip: 0 });
  expect(scheduled.map(({ objectId }) => objectId)).toEqual([pushes.due, pushes.waiting]);
  for (const pushId of pushes.offline) expect(await store.mailboxes.message(pushId)).toContain('alert');
});

test('what installations take is counted once nobody of the version before can be left', async () => {
  const { app, devices } = before;
  const installations = devices.mz + devices.hms + devices.own;
  const noteFleet = () => store.installations.channels.noteFleet({ now, isFresh: async () => false });
  expect(await store.installations.room(app.id)).toMatchObject({ installations, bytes: 0 });
  for (let passed = 0; passed <= SETTLE_MS; passed += SETTLE_MS / 2, now += SETTLE_MS / 2) {
    await noteFleet();
    expect(await store.format.migrate()).toBe(passed === SETTLE_MS);
  }
  while (await store.format.migrate());
  expect(await store.format.difference()).toBeUndefined();
  expect((await store.installations.room(app.id)).bytes).toBeGreaterThan(installations * 500);
});
