import { hash } from 'node:crypto';
import type { Keys } from '../keys';
import type { RedisClient } from '../redis';

export interface NonceStore {
  /**
   * True for exactly one of all callers, on whatever replica, until `ms` later. `id` names the key that signed, by the
   * same name whatever the caller called it.
   */
  claim(use: { readonly id: string; readonly ts: string; readonly nonce: string }, ms: number): Promise<boolean>;
}

export function openNonces({ redis, keys }: { redis: RedisClient; keys: Keys }): NonceStore {
  return {
    async claim({ id, ts, nonce }, ms) {
      const digest = hash('sha256', JSON.stringify([id, ts, nonce]), 'base64url');
      return (await redis.set(keys.nonce(digest), '', 'PX', ms, 'NX')) === 'OK';
    },
  };
}
