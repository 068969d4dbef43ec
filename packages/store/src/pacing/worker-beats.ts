import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';

/** A worker's place among the living ones of its channel, in an order that all of them see. */
export interface WorkerRank {
  readonly rank: number;
  readonly count: number;
}

export interface WorkerBeats {
  /** A worker that does not do so for a while counts as dead. */
  beat(channel: string, worker: string): Promise<WorkerRank>;
  leave(channel: string, worker: string): Promise<void>;
  /** Living workers of a channel. */
  count(channel: string): Promise<number>;
}

const DEAD_AFTER_MS = 5000;

/** KEYS workers; ARGV worker or ''. Answers the rank, -1 for none, and the number of living workers. */
const beatScript = defineScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${DEAD_AFTER_MS})
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
local living = redis.call('ZRANGE', KEYS[1], 0, -1)
table.sort(living)
for i, worker in ipairs(living) do if worker == ARGV[1] then return { i - 1, #living } end end
return { -1, #living }`);

export function openWorkerBeats({ redis, keys }: { redis: RedisClient; keys: Keys }): WorkerBeats {
  const beat = async (channel: string, worker: string): Promise<WorkerRank> => {
    const script = { keys: [keys.workers(channel)], args: [worker] };
    const [rank, count] = (await runScript(redis, beatScript, script)) as [number, number];
    return { rank, count };
  };
  return {
    beat,
    leave: async (channel, worker) => void (await redis.zrem(keys.workers(channel), worker)),
    count: async (channel) => (await beat(channel, '')).count,
  };
}
