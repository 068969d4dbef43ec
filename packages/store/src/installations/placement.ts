import { sharedBucketOf, type RouteBucket } from '@pushfleet/domain';
import { indexEntryOf, type IndexEntry, type StoredInstallation } from './stored';
import type { Places } from './read';

export interface PlacementParts extends Places {
  /** Channel by the wire value of `vendor`. */
  readonly vendors: ReadonlyMap<string, string>;
  /** `<channel>/<profile>` of every profile of an app, a moment old. */
  readonly profileNames: (app: string) => Promise<ReadonlySet<string>>;
}

/** Where a version not written yet belongs: only a profile that exists has a bucket of its own. */
export async function placeOf(
  parts: PlacementParts,
  app: string,
  stored: StoredInstallation,
): Promise<IndexEntry | undefined> {
  const entry = indexEntryOf(stored, parts.vendors);
  if (!entry) return undefined;
  const bucket = await placedBucket(parts, app, entry.bucket);
  return bucket === entry.bucket ? entry : { ...entry, bucket };
}

/** Names that devices invent cost nothing but this look: a push reads the sizes of every bucket there is. */
async function placedBucket(
  { redis, keys, profileNames }: PlacementParts,
  app: string,
  bucket: RouteBucket,
): Promise<RouteBucket> {
  const shared = sharedBucketOf(bucket);
  if (shared === undefined || (await profileNames(app)).has(bucket)) return bucket;
  return (await redis.hexists(keys.profiles(app), bucket)) === 1 ? bucket : shared;
}
