import { hash } from 'node:crypto';
import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';

export interface FailureCount {
  /** This failure included. */
  readonly failures: number;
  /** When counting starts anew. */
  readonly resetInMs: number;
}

export interface FailureCounts {
  /** Counts a failure of somebody, for the whole fleet; a count lives `ms` from its first failure. */
  add(kind: 'address' | 'token', who: string, ms: number): Promise<FailureCount>;
}

const addScript = defineScript(`
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}`);

export function openFailureCounts({ redis, keys }: { redis: RedisClient; keys: Keys }): FailureCounts {
  return {
    async add(...[kind, who, ms]) {
      const key = keys.failures(hash('sha256', JSON.stringify([kind, who]), 'base64url'));
      const [failures, resetInMs] = (await runScript(redis, addScript, { keys: [key], args: [ms] })) as [
        number,
        number,
      ];
      return { failures, resetInMs };
    },
  };
}
