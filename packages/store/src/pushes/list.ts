import { groupBy, LIMITS, type PushService } from '@pushfleet/domain';
import type { PushKeys } from './keys';
import type { RedisClient } from '../kit/redis';

/** A push for the list of its app, or of what a service asked for in that app. */
export interface ListedPush {
  readonly pushId: string;
  readonly app: string;
  readonly service?: PushService | undefined;
  readonly createdAt: number;
}

interface ListParts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
}

/** Adds pushes to the lists that they belong to. */
export async function addToLists(parts: ListParts, pushes: readonly ListedPush[]): Promise<void> {
  const byList = groupBy(pushes, ({ app, service }) => parts.keys.pushesOf(app, service));
  await Promise.all([...byList].map(([key, group]) => addToList(parts, key, group)));
}

/** A list is tidied once for about so many pushes that come to it. */
const TIDIED_EVERY = 100;
/** Looked at each time at either place: more than come meanwhile. */
const TIDIED_AT_ONCE = 2 * TIDIED_EVERY;
/** A push is listed before its record is written; one that is older has had its record. */
const GONE_AFTER_MS = 3_600_000;

async function addToList(parts: ListParts, key: string, pushes: readonly ListedPush[]): Promise<void> {
  const { redis } = parts;
  await redis.zadd(key, ...pushes.flatMap(({ createdAt, pushId }) => [createdAt, pushId]));
  if (Math.random() >= pushes.length / TIDIED_EVERY) return;
  await redis.zremrangebyrank(key, 0, -LIMITS.pushesListed.value - 1);
  await forgetGone(parts, key, Math.max(...pushes.map(({ createdAt }) => createdAt)) - GONE_AFTER_MS);
}

/**
 * Takes ids whose records are gone out of a list: of its oldest ones, and of some elsewhere, since not all records are kept for the
 * same time.
 */
async function forgetGone({ redis, keys }: ListParts, key: string, before: number): Promise<void> {
  const count = await redis.zcount(key, '-inf', before);
  const places = [0, Math.floor(Math.random() * count)];
  const read = places.map((at) => redis.zrangebyscore(key, '-inf', before, 'LIMIT', at, TIDIED_AT_ONCE));
  const ids = [...new Set((await Promise.all(read)).flat())];
  const there = await Promise.all(ids.map((id) => redis.exists(keys.pushRecord(id))));
  const gone = ids.filter((_, i) => there[i] === 0);
  if (gone.length > 0) await redis.zrem(key, ...gone);
}

/** Ids of an app's pushes, newest first, of those whose records are gone too. */
export const listedIds = (
  { redis, keys }: ListParts,
  app: string,
  { limit, skip }: { readonly limit: number; readonly skip: number },
): Promise<readonly string[]> =>
  limit === 0 ? Promise.resolve([]) : redis.zrevrange(keys.pushesOf(app), skip, skip + limit - 1);
