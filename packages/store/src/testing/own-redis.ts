import { startRedisServer, type RedisServer } from '@pushfleet/testing';
import { openRedis, type RedisClient } from '../kit/redis';

/** A Redis of which a file of tests has the settings to itself; it is there once these run. */
export interface OwnRedis {
  server: RedisServer;
  redis: RedisClient;
}

/** Call it at the top of a test file. */
export function ownRedis(): OwnRedis {
  const own = {} as OwnRedis;
  beforeAll(async () => {
    own.server = await startRedisServer();
    own.redis = await openRedis({ url: own.server.url, patience: 'wait', onError: () => undefined });
  });
  afterAll(async () => {
    own.redis.disconnect();
    await own.server.close();
  });
  return own;
}
