import { shardOf, SHARDS } from '../kit/shards';
import type { Reader } from './read';
import { scanInstallations, type Scanned } from './scan';

export interface ExportRequest {
  readonly app: string;
  /** objectId of the last one of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** One page of all of them, always in the same order, which outlives restarts and changes in between. */
export function exportInstallations(reader: Reader, { app, after, limit }: ExportRequest): Promise<Scanned> {
  const from = after === undefined ? undefined : { shard: shardOf(after), objectId: after };
  return scanInstallations(reader, { app, where: {}, limit, from });
}

export async function countInstallations({ redis, keys }: Reader, app: string): Promise<number> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => redis.hlen(keys.records(app, shard)));
  return (await Promise.all(shards)).reduce((a, b) => a + b, 0);
}
