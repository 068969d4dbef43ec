import type { RouteBucket } from '@pushfleet/domain';
import { SHARDS } from '../../kit/shards';
import { luaScript } from '../../kit/lua/script';
import { atOnce } from '../at-once';
import type { IndexParts } from './entries';

const sizesOfShard = luaScript('installations/bucket-sizes', {
  params: { records: 'key', begin: 'text', ofChannels: 'text', buckets: 'texts', channels: 'texts' },
  answer: (counts: readonly number[]) => counts,
});

/** Shards asked at the same time, so that what others want of Redis comes in between. */
const AT_ONCE = 32;

/** Devices of every bucket, or subscriptions to any of some channels; a bucket that has none is missing. */
export async function bucketSizes(
  { redis, keys }: IndexParts,
  app: string,
  channels: readonly string[] | undefined,
): Promise<ReadonlyMap<RouteBucket, number>> {
  const buckets = await redis.smembers(keys.buckets(app));
  const sizes = new Map<RouteBucket, number>();
  if (channels?.length === 0) return sizes;
  await atOnce(
    AT_ONCE,
    Array.from({ length: SHARDS }, (_, shard) => shard),
    async (shard) => {
      const counts = await sizesOfShard(redis, {
        records: keys.records(app, shard),
        begin: channels ? keys.subscriptions(app, shard) : keys.bucket(app, shard, ''),
        ...{ ofChannels: channels ? '1' : '0', buckets, channels: channels ?? [] },
      });
      counts.forEach((count, i) => {
        const bucket = buckets[i] ?? '';
        if (count > 0) sizes.set(bucket, (sizes.get(bucket) ?? 0) + count);
      });
    },
  );
  return sizes;
}
