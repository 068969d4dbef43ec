import { startRedisCluster } from './redis-cluster';
import { startRedisProcess, type RedisServer, type RedisServerOptions } from './redis-server';

/** Set to `cluster`, every Redis that tests start is a cluster of three masters. */
const REDIS_KIND = 'PUSHFLEET_TEST_REDIS';

/** A private Redis of the kind that the test run asks for. */
export function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  return process.env[REDIS_KIND] === 'cluster' ? startRedisCluster(options) : startRedisProcess(options);
}
