import { hash } from 'node:crypto';
import type { UserKeys } from './keys';
import type { MemoryGuard } from '../kit/memory-guard';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

export interface NonceUse {
  /** Names the key that signed, by the same name whatever the caller called it. */
  readonly id: string;
  /** The second of the signature. */
  readonly ts: string;
  readonly nonce: string;
}

export interface NonceBounds {
  /** How long after it was first seen a signature may come again. */
  readonly lifeMs: number;
  /** Signatures of one key whose seconds fall into the same period; 0 = no limit. */
  readonly perPeriod: number;
}

/** `first` for exactly one of all callers, on whatever replica. */
export type Claim = 'first' | 'used' | 'too-many';

export interface NonceStore {
  claim(use: NonceUse, bounds: NonceBounds): Promise<Claim>;
}

/** Short enough that the nonces of a usual limit are a packed set of numbers: eight bytes each. */
export const NONCE_PERIOD_SECONDS = 30;

const CLAIMS: ReadonlyMap<unknown, Claim> = new Map([
  [1, 'first'],
  [0, 'used'],
  [-1, 'too-many'],
]);

const claimNonce = luaScript('users/claim-nonce', {
  params: { nonces: 'key', nonce: 'text', lifeMs: 'text', limit: 'number' },
  answer: (raw: number) => CLAIMS.get(raw) ?? 'used',
});

/**
 * A period is that of the signature, not of its arrival: so the limit of a period bounds both how often a key is used and
 * what it makes the store hold, however its clock goes.
 */
export function openNonces(parts: { redis: RedisClient; keys: UserKeys; memory: MemoryGuard }): NonceStore {
  const { redis, keys, memory } = parts;
  return {
    async claim({ id, ts, nonce }, { lifeMs, perPeriod }) {
      await memory.requireRoom('lookUp');
      const period = Math.floor(Number(ts) / NONCE_PERIOD_SECONDS);
      const digest = hash('sha256', JSON.stringify([ts, nonce]), 'buffer').readBigInt64BE();
      // The last second of the period may come that much later than the first.
      const ms = lifeMs + NONCE_PERIOD_SECONDS * 1000;
      const nonces = keys.nonces(id, period);
      return claimNonce(redis, { nonces, nonce: digest.toString(), lifeMs: ms, limit: perPeriod });
    },
  };
}
