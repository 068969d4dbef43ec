import type { RedisClient } from '../kit/redis';
import type { PushKeys } from './keys';
import { unpackedFields } from './record-fields';

/** Every field of a record, as it was before it was packed; none when the record is gone. */
export const readFields = async (
  { redis, keys }: { readonly redis: RedisClient; readonly keys: PushKeys },
  pushId: string,
): Promise<Readonly<Record<string, string>>> => unpackedFields(await redis.hgetall(keys.pushRecord(pushId)));
