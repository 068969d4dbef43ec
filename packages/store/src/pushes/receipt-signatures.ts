import { hash } from 'node:crypto';
import type { PushKeys } from './keys';
import type { RedisClient } from '../kit/redis';

export interface ReceiptSignatures {
  /** Remembers the signature for `ms`, for the whole fleet. False when it came before with another body. */
  bind(signature: string, body: string, ms: number): Promise<boolean>;
}

const digestOf = (text: string): string => hash('sha256', text, 'base64url');

export function openReceiptSignatures({ redis, keys }: { redis: RedisClient; keys: PushKeys }): ReceiptSignatures {
  return {
    async bind(signature, body, ms) {
      const key = keys.receiptSignature(digestOf(signature));
      const bound = await redis.set(key, digestOf(body), 'PX', ms, 'NX', 'GET');
      return bound === null || bound === digestOf(body);
    },
  };
}
