import type { PacingKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/** The place of a worker among the living workers of its channel; all of them see the same order. */
export interface WorkerRank {
  readonly rank: number;
  readonly count: number;
}

export interface WorkerBeats {
  /** A worker without a beat for a while counts as dead. */
  beat(channel: string, worker: string): Promise<WorkerRank>;
  leave(channel: string, worker: string): Promise<void>;
  /** Living workers of a channel. */
  count(channel: string): Promise<number>;
}

const DEAD_AFTER_MS = 5000;

const beatWorker = luaScript('pacing/beat-worker', {
  params: { workers: 'key', worker: 'text' },
  constants: { DEAD_AFTER_MS },
  answer: ([rank, count]: readonly [number, number]): WorkerRank => ({ rank, count }),
});

export function openWorkerBeats({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): WorkerBeats {
  const beat = (channel: string, worker: string): Promise<WorkerRank> =>
    beatWorker(redis, { workers: keys.workers(channel), worker });
  return {
    beat,
    leave: async (channel, worker) => void (await redis.zrem(keys.workers(channel), worker)),
    count: async (channel) => (await beat(channel, '')).count,
  };
}
