import type { Installation, RouteBucket } from '@pushfleet/domain';
import { toInstallation } from '../read';
import { ALL_SHARDS, readEntries, type IndexParts } from './entries';
import { readSubscribers } from './subscribers';

export interface Subscriber {
  readonly installation: Installation;
  readonly bucket: RouteBucket;
}

interface Question {
  readonly app: string;
  readonly channels: readonly string[];
  /** The index is known to be whole; otherwise every shard is asked. */
  readonly isTrusted: boolean;
}

/** The installations that have any of some channels, with their documents; undefined when there are more than the limit. */
export async function subscribersOfChannels(
  parts: IndexParts,
  { app, channels, isTrusted }: Question,
  limit: number,
): Promise<readonly Subscriber[] | undefined> {
  if (channels.length === 0) return [];
  const [terms, buckets] = await Promise.all([
    isTrusted ? readEntries(parts, app, channels) : new Map(channels.map((channel) => [channel, ALL_SHARDS])),
    parts.redis.smembers(parts.keys.buckets(app)),
  ]);
  const found = await readSubscribers(parts, { app, buckets, terms }, { limit, withDocuments: true });
  return found?.map((stored) => ({ installation: toInstallation(stored), bucket: stored.bucket }));
}
