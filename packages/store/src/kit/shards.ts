import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Shards of one app's installations, and shards of all push records. */
export const SHARDS = 256;
export const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

export const shardOf = (value: string): number => crc32(value) & (SHARDS - 1);

/** The field of a look-up by registrationId: twelve bytes instead of up to 512. */
export const registrationDigest = (registrationId: string): string =>
  hash('sha256', registrationId, 'base64url').slice(0, 16);
