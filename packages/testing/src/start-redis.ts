import { keepSharedRedis, TEST_REDIS_URL } from './shared-redis';
import { startRedisServer } from './start-redis-server';

/** Runs once before all test files: one private Redis for all of them, unless the environment names one. */
async function startRedis(): Promise<void> {
  if (process.env[TEST_REDIS_URL]) return;
  const server = await startRedisServer();
  process.env[TEST_REDIS_URL] = server.url;
  keepSharedRedis(server);
}

/** @public Jest calls what the module itself exports. */
export = startRedis;
