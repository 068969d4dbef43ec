import type { InstallationKeys } from '../keys';
import type { RedisClient } from '../../kit/redis';

export interface Evictions {
  /** Unconfirmed installations that made room for others, since the app exists. */
  readonly evicted: number;
  /** Milliseconds since the epoch; absent: never. */
  readonly lastEvictedAt?: number;
}

export interface EvictionCount {
  readonly add: (app: string, count: number) => Promise<void>;
  of(app: string): Promise<Evictions>;
}

/** Kept with the app, so that its owner sees what processes that are gone have done. */
export function openEvictionCount({
  redis,
  keys,
  now,
  onEvicted,
}: {
  readonly redis: RedisClient;
  readonly keys: InstallationKeys;
  readonly now: () => number;
  readonly onEvicted: (app: string, count: number) => void;
}): EvictionCount {
  return {
    async add(app, count) {
      onEvicted(app, count);
      const key = keys.evictions(app);
      await Promise.all([redis.hincrby(key, 'evicted', count), redis.hset(key, 'at', now())]);
    },
    async of(app) {
      const { evicted = 0, at } = await redis.hgetall(keys.evictions(app));
      return { evicted: Number(evicted), ...(at === undefined ? {} : { lastEvictedAt: Number(at) }) };
    },
  };
}
