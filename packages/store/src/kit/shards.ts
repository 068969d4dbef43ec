import { crc32 } from 'node:zlib';

/** Shards of one app's installations, and shards of all push records. */
export const SHARDS = 256;
export const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

export const shardOf = (value: string): number => crc32(value) & (SHARDS - 1);
