import { openRedis, openStore, type RedisClient, type Store } from '@pushfleet/store';
import { channelOfVendor } from '@pushfleet/channels';
import { anApp, mastersOf, type RedisServer, SECRET_KEY, startRedisServer, unique, until } from '@pushfleet/testing';
import { gatewayMetrics } from './metrics';
import { listen, openMetrics } from '@pushfleet/service-kit';
import { configSchema } from './config';
import { openGateway, type Gateway } from './open-gateway';
import { Device } from './testing/device';

let server: RedisServer;
let redis: RedisClient;
let store: Store;
let gateway: Gateway;
const app = anApp();

beforeAll(async () => {
  server = await startRedisServer();
  redis = await openRedis({ url: server.url, patience: 'wait', onError: () => undefined });
  store = openStore({ redis, namespace: 'test', secretKey: SECRET_KEY, vendors: channelOfVendor });
  await store.apps.create(app);
  const config = configSchema.parse({ REDIS_URL: server.url, GATEWAY_PORT: '0' });
  const metrics = gatewayMetrics(openMetrics('gateway'));
  gateway = await openGateway({ store, config, metrics, listen, now: Date.now, onError: () => undefined });
});

afterAll(async () => {
  gateway.server.shut();
  await gateway.server.endAll();
  gateway.stopWatching();
  await gateway.heartbeat.stop();
  redis.disconnect();
  await server.close();
});

/** In the mailbox, without a hint to anybody. */
async function putSilently(installationId: string) {
  const push = { pushId: `${unique('').slice(0, 14)}00`, app: app.id, text: '{}', expiresAt: Date.now() + 60_000 };
  const [stored] = await store.mailboxes.put({ push, installationIds: [installationId], limit: 50 });
  return { pushId: push.pushId, presence: stored?.presence };
}

const loggedIn = async (installationId: string): Promise<Device> =>
  (await Device.connect(gateway.url)).login(app.id, installationId);

test('devices stay connected while Redis is away, and get afterwards what they missed', async () => {
  const installationId = unique('device');
  const device = await loggedIn(installationId);
  await server.stop();
  await device.settled();
  const other = await Device.connect(gateway.url);
  other.send({ cmd: 'login', appId: app.id, installationId: unique('late') });
  await other.settled();
  expect(other.count('loggedin')).toBe(0);
  await server.start();
  await until(() => other.count('loggedin') === 1);
  const { pushId } = await putSilently(installationId);
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'no').catch(() => undefined);
  await device.received(pushId);
  expect(device.closed).toBeUndefined();
});

test('a presence that Redis lost is written again when the connection to it comes back', async () => {
  const installationId = unique('device');
  await loggedIn(installationId);
  await Promise.all(mastersOf(redis).map((master) => master.flushall()));
  await store.apps.create(app);
  expect((await putSilently(installationId)).presence).toBeUndefined();
  await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'no').catch(() => undefined);
  await until(async () => (await putSilently(installationId)).presence?.node === gateway.node);
});
