import { hash } from 'node:crypto';
import type { UserKeys } from './keys';
import type { MemoryGuard } from '../kit/memory-guard';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

export interface NonceUse {
  /** The token of the signing key: the same for every name of the key. */
  readonly id: string;
  /** The second of the signature. */
  readonly ts: string;
  readonly nonce: string;
}

export interface NonceBounds {
  /** How long a signature is remembered. */
  readonly lifeMs: number;
  /** Signatures of one key whose seconds fall into the same period; 0 = no limit. */
  readonly perPeriod: number;
}

/** `first` for exactly one caller in the fleet. */
export type Claim = 'first' | 'used' | 'too-many';

export interface NonceStore {
  claim(use: NonceUse, bounds: NonceBounds): Promise<Claim>;
}

/** Short enough for the usual limit of nonces to be a packed set of numbers: eight bytes each. */
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
 * The time of the signature decides about its period, not the time of arrival. So the limit of a period bounds both how often a
 * key is used and how much the store holds for it, even when the clock of the caller is wrong.
 */
export function openNonces(parts: { redis: RedisClient; keys: UserKeys; memory: MemoryGuard }): NonceStore {
  const { redis, keys, memory } = parts;
  return {
    async claim({ id, ts, nonce }, { lifeMs, perPeriod }) {
      await memory.requireRoom('lookUp');
      const period = Math.floor(Number(ts) / NONCE_PERIOD_SECONDS);
      const digest = hash('sha256', JSON.stringify([ts, nonce]), 'buffer').readBigInt64BE();
      // The last signature of the period may be that much younger than the first.
      const ms = lifeMs + NONCE_PERIOD_SECONDS * 1000;
      const nonces = keys.nonces(id, period);
      return claimNonce(redis, { nonces, nonce: digest.toString(), lifeMs: ms, limit: perPeriod });
    },
  };
}
