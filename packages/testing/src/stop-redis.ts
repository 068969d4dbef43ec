import { takeSharedRedis } from './shared-redis';

/** Runs once after all test files; a Redis that the environment named is left alone. */
async function stopRedis(): Promise<void> {
  await takeSharedRedis()?.close();
}

/** @public Jest calls what the module itself exports. */
export = stopRedis;
