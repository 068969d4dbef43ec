import { shardOf } from '../kit/shards';
import type { Places, RecordVersion } from './read';
import { only } from './stored';

/** An entry of an index. */
export interface Place {
  readonly place: string;
  readonly member: string;
}

/** The addresses of a record whose text does not tell its bucket: what stays behind would get pushes for ever. */
export async function misplacedEntries(
  { redis, keys }: Places,
  app: string,
  { objectId, isMisplaced = false }: RecordVersion,
): Promise<readonly Place[]> {
  if (!isMisplaced) return [];
  const [min, max] = only(objectId);
  const found = await Promise.all(
    (await redis.smembers(keys.buckets(app))).map(async (bucket) => {
      const place = keys.bucket(app, shardOf(objectId), bucket);
      return (await redis.zrangebylex(place, min, max)).map((member): Place => ({ place, member }));
    }),
  );
  return found.flat();
}
