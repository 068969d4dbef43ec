import type { RedisServer } from './redis-server';

/** Where a Redis for tests is to be found; set it to use one that runs already. */
export const TEST_REDIS_URL = 'PUSHFLEET_TEST_REDIS_URL';

/** Set-up and teardown run in one process but load their modules apart, so they meet on the global object. */
const meetingPoint = globalThis as { pushfleetTestRedis?: RedisServer | undefined };

export function keepSharedRedis(server: RedisServer): void {
  meetingPoint.pushfleetTestRedis = server;
}

export function takeSharedRedis(): RedisServer | undefined {
  const server = meetingPoint.pushfleetTestRedis;
  meetingPoint.pushfleetTestRedis = undefined;
  return server;
}
