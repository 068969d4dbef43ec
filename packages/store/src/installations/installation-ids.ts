import { groupBy } from '@pushfleet/domain';
import { shardOf } from '../keys';
import type { Reader } from './read';
import { decodeInstallation } from './stored';

/** The installationId of each record that exists; undefined for one that has none. */
export async function readInstallationIds(
  { redis, keys }: Reader,
  app: string,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const byShard = groupBy(objectIds, shardOf);
  const found = await Promise.all(
    [...byShard].map(async ([shard, ids]) => {
      const texts = await redis.hmget(keys.records(app, shard), ...ids);
      return ids.map((id, i) => [id, texts[i]] as const);
    }),
  );
  const entries = found.flat().flatMap(([objectId, text]) => {
    if (typeof text !== 'string') return [];
    const { installationId } = decodeInstallation(objectId, text, '').doc;
    return [[objectId, typeof installationId === 'string' ? installationId : undefined] as const];
  });
  return new Map(entries);
}
