import { Cluster } from 'ioredis';
import type { RedisClient } from './redis';

/** What a process that may have to leave without Redis needs of its connection. */
export interface RedisLink {
  ping(): Promise<unknown>;
  /** What waits for an answer fails, and so does whatever is asked from now on. */
  giveUp(): void;
  isOver(): boolean;
}

export const redisLink = (redis: RedisClient): RedisLink => ({
  ping: () => redis.ping(),
  giveUp: () => giveUp(redis),
  isOver: () => redis.status === 'end',
});

/** `disconnect` between two tries of ioredis 6.0 ends the tries and leaves what waits for them waiting for good. */
function giveUp(redis: RedisClient): void {
  const noMore = (): null => null;
  if (redis instanceof Cluster) redis.options.clusterRetryStrategy = noMore;
  else Object.assign(redis.options, { retryStrategy: noMore, sentinelRetryStrategy: noMore });
  if (redis.status === 'ready') redis.disconnect();
}
