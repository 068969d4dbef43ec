import { hash } from 'node:crypto';
import type { UserKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

export interface FailureCount {
  /** This failure included. */
  readonly failures: number;
  /** When counting starts anew. */
  readonly resetInMs: number;
}

export interface FailureCounts {
  /** Counts a failure for the whole fleet; a count lives `ms` from its first failure. */
  add(kind: 'address' | 'token', who: string, ms: number): Promise<FailureCount>;
}

const countFailure = luaScript('users/count-failure', {
  params: { count: 'key', lifeMs: 'number' },
  answer: ([failures, resetInMs]: readonly [number, number]): FailureCount => ({ failures, resetInMs }),
});

export function openFailureCounts({ redis, keys }: { redis: RedisClient; keys: UserKeys }): FailureCounts {
  return {
    add: (...[kind, who, lifeMs]) =>
      countFailure(redis, { count: keys.failures(hash('sha256', JSON.stringify([kind, who]), 'base64url')), lifeMs }),
  };
}
