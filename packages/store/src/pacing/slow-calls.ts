import type { PacingKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import type { PushOfProfile } from './push-holds';
import { openSharedFields } from './shared-fields';

/** Devices of a push whose vendor was called a while ago and has not answered. */
export interface SlowCalls extends PushOfProfile {
  readonly devices: number;
  /** The last of the calls ends by then, milliseconds since the epoch. */
  readonly until: number;
}

interface Told {
  readonly at: number;
  readonly calls: readonly SlowCalls[];
}

export interface SlowCallStore {
  /** Calls of every worker of a channel that reported lately. */
  list(channel: string, now: number): Promise<readonly SlowCalls[]>;
  /** Replaces what the worker reported before. */
  tell(channel: string, worker: string, told: Told): Promise<void>;
}

/** A worker that does not report for so long counts as dead. */
const LATELY_MS = 10_000;
const KEPT_MS = 60_000;

export function openSlowCalls({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): SlowCallStore {
  const fields = openSharedFields<Told>(redis, (channel) => keys.slowCalls(channel));
  return {
    async list(channel, now) {
      const all = await fields.list(channel);
      return all.flatMap(([, { at, calls }]) => (at > now - LATELY_MS ? calls : []));
    },
    async tell(channel, worker, told) {
      if (told.calls.length === 0) return void (await fields.remove(channel, [worker]));
      await fields.put(channel, worker, told);
      await redis.pexpire(keys.slowCalls(channel), KEPT_MS);
    },
  };
}
