import { bucketsFor, LIMITS, type Audience, type RouteBucket } from '@pushfleet/domain';
import { ALL_SHARDS, SHARDS } from '../../kit/shards';
import { luaScript } from '../../kit/lua/script';
import { atOnce } from '../at-once';
import type { Reader } from '../read';

const sizesOfShard = luaScript('installations/bucket-sizes', {
  params: { records: 'key', begin: 'text', ofChannels: 'text', buckets: 'texts', channels: 'texts' },
  answer: (counts: readonly number[]) => counts,
});

/** Shards asked at the same time, so that what others want of Redis comes in between. */
const AT_ONCE = 32;

/** What of an audience says which buckets it may be in. */
export type SizedAudience = Pick<Audience, 'subscriptions' | 'predicate'>;

export interface SizesParts extends Pick<Reader, 'redis' | 'keys'> {
  readonly vendors: ReadonlyMap<string, string>;
}

/**
 * Devices of every bucket, or subscriptions to any of some channels, that a walk for an audience has to look at. A bucket that has
 * none is missing, and so is one whose name tells that nobody in it meets the condition.
 */
export async function bucketSizes(
  { redis, keys, vendors }: SizesParts,
  app: string,
  { subscriptions: channels, predicate }: SizedAudience,
): Promise<ReadonlyMap<RouteBucket, number>> {
  const buckets = (await redis.smembers(keys.buckets(app))).filter(bucketsFor(predicate, vendors));
  const sizes = new Map<RouteBucket, number>();
  if (channels?.length === 0 || buckets.length === 0) return sizes;
  await atOnce(AT_ONCE, ALL_SHARDS, async (shard) => {
    const counts = await sizesOfShard(redis, {
      records: keys.records(app, shard),
      begin: channels ? keys.subscriptions(app, shard) : keys.bucket(app, shard, ''),
      ofChannels: channels ? '1' : '0',
      buckets,
      channels: channels ?? [],
    });
    counts.forEach((count, i) => {
      const bucket = buckets[i] ?? '';
      if (count > 0) sizes.set(bucket, (sizes.get(bucket) ?? 0) + count);
    });
  });
  return sizes;
}

/** Sets of subscriptions that one push may look at whatever its app is: a tenth of a second of Redis. */
export const MAX_LOOKS = LIMITS.subscriptionLookUps.value;

/**
 * Those of some walks that look at no more sets than the app has devices: there is a set for each channel in each bucket of each
 * shard, and to look at one costs as much where it is empty.
 */
export async function shorterWalks(
  parts: SizesParts,
  app: string,
  walks: readonly Audience[],
): Promise<readonly Audience[]> {
  const sets = (await parts.redis.scard(parts.keys.buckets(app))) * SHARDS;
  const within = (most: number): readonly Audience[] =>
    walks.filter(({ subscriptions = [] }) => subscriptions.length * sets <= most);
  const shorter = within(MAX_LOOKS);
  if (shorter.length === walks.length) return walks;
  const devices = [...(await bucketSizes(parts, app, {})).values()].reduce((sum, size) => sum + size, 0);
  return within(Math.max(MAX_LOOKS, devices));
}
