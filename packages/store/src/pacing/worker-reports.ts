import type { RedisClient } from '../kit/redis';
import { openSharedFields } from './shared-fields';

interface Told<T> {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly calls: readonly T[];
}

/** What the workers of a channel say about their calls, each for itself. */
export interface WorkerReports<T> {
  /** Of every worker that reported lately. */
  list(channel: string, now: number): Promise<readonly T[]>;
  /** Replaces what the worker reported before. */
  tell(channel: string, worker: string, told: Told<T>): Promise<void>;
}

/** A worker that does not report for so long counts as dead. */
const LATELY_MS = 10_000;
const KEPT_MS = 60_000;

export function openWorkerReports<T>(redis: RedisClient, keyOf: (channel: string) => string): WorkerReports<T> {
  const fields = openSharedFields<Told<T>>(redis, keyOf);
  return {
    async list(channel, now) {
      const all = await fields.list(channel);
      return all.flatMap(([, { at, calls }]) => (at > now - LATELY_MS ? calls : []));
    },
    async tell(channel, worker, told) {
      if (told.calls.length === 0) return void (await fields.remove(channel, [worker]));
      await fields.put(channel, worker, told);
      await redis.pexpire(keyOf(channel), KEPT_MS);
    },
  };
}
