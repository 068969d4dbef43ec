import type { RouteBucket } from '@pushfleet/domain';
import { SHARDS } from '../../kit/shards';
import { defineScript, runScript } from '../../kit/redis';
import { atOnce } from '../at-once';
import type { IndexParts } from './entries';

/**
 * Devices of each bucket in one shard, or subscriptions there to any of some channels.
 * KEYS records; ARGV what the keys of buckets, or of subscriptions, begin with, number of buckets, buckets, channels.
 */
const sizesScript = defineScript(`
local buckets, out = tonumber(ARGV[2]), {}
for b = 3, 2 + buckets do
  local count = 0
  if #ARGV == 2 + buckets then count = redis.call('ZCARD', ARGV[1] .. ARGV[b]) end
  for c = 3 + buckets, #ARGV do count = count + redis.call('ZCARD', ARGV[1] .. ARGV[b] .. ':' .. ARGV[c]) end
  out[#out + 1] = count
end
return out`);

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
      const prefix = channels ? keys.subscriptions(app, shard) : keys.bucket(app, shard, '');
      const found = await runScript(redis, sizesScript, {
        keys: [keys.records(app, shard)],
        args: [prefix, buckets.length, ...buckets, ...(channels ?? [])],
      });
      (found as readonly number[]).forEach((count, i) => {
        const bucket = buckets[i] ?? '';
        if (count > 0) sizes.set(bucket, (sizes.get(bucket) ?? 0) + count);
      });
    },
  );
  return sizes;
}
