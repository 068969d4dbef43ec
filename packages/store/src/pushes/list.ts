import type { PushStatus } from '@pushfleet/domain';
import type { PushKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { RECORD } from './record-fields';

export interface ListRange {
  readonly limit: number;
  readonly skip: number;
  /** Created at or after, and at or before; milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly status?: PushStatus | undefined;
  /** Cancelled pushes are left out. */
  readonly isLiveOnly?: boolean;
}

const CHUNK = 200;
/** Pushes an app can list. */
const MAX_LISTED = 10_000;

/** Adds pushes to the list of their app. */
export async function addToList(
  { redis, keys }: { readonly redis: RedisClient; readonly keys: PushKeys },
  app: string,
  pushes: readonly { readonly pushId: string; readonly createdAt: number }[],
): Promise<void> {
  const key = keys.pushesOf(app);
  await redis.zadd(key, ...pushes.flatMap(({ createdAt, pushId }) => [createdAt, pushId]));
  if (Math.random() < pushes.length / 100) await redis.zremrangebyrank(key, 0, -MAX_LISTED - 1);
}

/** Ids of an app's pushes, newest first; `limit` and `skip` count those that the range asks for. */
export async function listedIds(
  { redis, keys }: { redis: RedisClient; keys: PushKeys },
  app: string,
  { limit, skip, from = -Infinity, to = Infinity, status, isLiveOnly = false }: ListRange,
): Promise<readonly string[]> {
  const bounds = [scoreText(to), scoreText(from)] as const;
  const read = (offset: number, count: number): Promise<string[]> =>
    redis.zrevrangebyscore(keys.pushesOf(app), ...bounds, 'LIMIT', offset, count);
  if (limit === 0) return [];
  if (status === undefined && !isLiveOnly) return read(skip, limit);
  const found: string[] = [];
  for (let offset = 0; found.length < skip + limit; offset += CHUNK) {
    const ids = await read(offset, CHUNK);
    const states = await Promise.all(
      ids.map((id) => redis.hmget(keys.pushRecord(id), RECORD.status, RECORD.cancelled)),
    );
    const isWanted = ([has, cancelled]: readonly (string | null)[]): boolean =>
      typeof has === 'string' && (status === undefined || has === status) && !(isLiveOnly && cancelled !== null);
    found.push(...ids.filter((_, i) => isWanted(states[i] ?? [])));
    if (ids.length < CHUNK) break;
  }
  return found.slice(skip, skip + limit);
}

const scoreText = (bound: number): string =>
  bound === Infinity ? '+inf' : bound === -Infinity ? '-inf' : String(bound);
