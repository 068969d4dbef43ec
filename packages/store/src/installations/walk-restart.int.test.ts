import { anInstallation, type RedisServer, SECRET_KEY, startRedisServer } from '@pushfleet/testing';
import { SHARDS } from '../kit/shards';
import { openStore, type Store } from '../open-store';
import { openRedis, type RedisClient } from '../kit/redis';
import { VENDORS } from '../testing/store-under-test';

let server: RedisServer;
let redis: RedisClient;
let store: Store;

beforeAll(async () => {
  server = await startRedisServer({ args: ['--appendfsync', 'always'] });
  redis = await openRedis({ url: server.url, patience: 'wait', onError: () => undefined });
  store = openStore({ redis, namespace: 'restart', secretKey: SECRET_KEY, vendors: VENDORS });
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

const walkFrom = (from: { shard: number; objectId: string }) =>
  store.installations.walk({ app: 'app', bucket: 'hms/_default', from, toShard: SHARDS, pageSize: 50 });

it('a walk goes on where it was folded after Redis was killed and came back from its append-only file', async () => {
  const now = Date.now();
  const saves = Array.from({ length: 300 }, () =>
    store.installations.save({ app: 'app', body: anInstallation(), now }),
  );
  const ids = (await Promise.all(saves)).map((saved) => saved?.installation.objectId);

  const walked: string[] = [];
  let from = { shard: 0, objectId: '' };
  for (let page = 0; ; page += 1) {
    if (page === 2 || page === 4) await server.restart('kill');
    const { devices, end } = await walkFrom(from).next();
    walked.push(...devices.map(({ objectId }) => objectId));
    if (!end) break;
    from = end;
  }
  expect(walked).toHaveLength(300);
  expect(new Set(walked)).toEqual(new Set(ids));
});
