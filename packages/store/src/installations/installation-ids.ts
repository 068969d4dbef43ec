import { groupBy } from '@pushfleet/domain';
import { shardOf } from '../keys';
import type { Reader } from './read';
import { decodeInstallation } from './stored';

/** The installationId of each record that exists; undefined for one that has none. */
export async function readInstallationIds(
  { redis, keys, rounds }: Reader,
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
  const ids = new Map<string, string | undefined>();
  for (const [objectId, text] of found.flat()) {
    if (typeof text !== 'string') continue;
    const { installationId } = (await rounds.spend(() => decodeInstallation(objectId, text, ''))).doc;
    ids.set(objectId, typeof installationId === 'string' ? installationId : undefined);
  }
  return ids;
}
