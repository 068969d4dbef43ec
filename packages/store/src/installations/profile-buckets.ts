import type { ProfileBuckets } from '../accounts';
import type { RedisClient } from '../kit/redis';
import { openProfileBucket } from './bucket-moves';
import type { InstallationKeys } from './keys';

/** The buckets that profiles give their names to, as the profiles ask for them. */
export const openProfileBuckets = (parts: { redis: RedisClient; keys: InstallationKeys }): ProfileBuckets => ({
  open: (bucket) => openProfileBucket(parts, bucket),
  async keep(app, bucket) {
    await parts.redis.sadd(parts.keys.profileBuckets(app), bucket);
  },
});
