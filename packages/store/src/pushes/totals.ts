import type { RedisClient } from '../kit/redis';
import { ALL_SHARDS } from '../kit/shards';
import type { PushKeys } from './keys';
import { readCounterField, type ReadCounter } from './record-fields';

/** A counter of the records of all pushes, those that are gone included. */
export interface Total extends ReadCounter {
  readonly count: number;
}

/** Adds up what the scripts counted when they changed the books. */
export function openTotals({ redis, keys }: { redis: RedisClient; keys: PushKeys }): () => Promise<readonly Total[]> {
  return async () => {
    const sums = new Map<string, number>();
    const shards = await Promise.all(ALL_SHARDS.map((shard) => redis.hgetall(keys.totals(shard))));
    for (const counters of shards)
      for (const [name, count] of Object.entries(counters)) sums.set(name, (sums.get(name) ?? 0) + Number(count));
    return [...sums].flatMap(([name, count]) => {
      const counter = readCounterField(name);
      return counter === undefined ? [] : [{ ...counter, count }];
    });
  };
}
