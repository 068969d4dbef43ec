import { groupBy, LIMITS, type PushService, type PushStatus } from '@pushfleet/domain';
import type { PushKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { RECORD } from './record-fields';

export interface ListRange {
  readonly limit: number;
  readonly skip: number;
  readonly status?: PushStatus | undefined;
  /** Cancelled pushes are left out. */
  readonly isLiveOnly?: boolean;
  /** Created at or after, and at or before; milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Pushes that this service asked for; absent: those of senders. */
  readonly service?: PushService | undefined;
}

const CHUNK = 200;

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

async function addToList({ redis }: ListParts, key: string, pushes: readonly ListedPush[]): Promise<void> {
  await redis.zadd(key, ...pushes.flatMap(({ createdAt, pushId }) => [createdAt, pushId]));
  if (Math.random() < pushes.length / 100) await redis.zremrangebyrank(key, 0, -LIMITS.pushesListed.value - 1);
}

/** Ids of an app's pushes, newest first; `limit` and `skip` count those that the range asks for. */
export async function listedIds(
  { redis, keys }: ListParts,
  app: string,
  { limit, skip, from = -Infinity, to = Infinity, status, service, isLiveOnly = false }: ListRange,
): Promise<readonly string[]> {
  const bounds = [scoreText(to), scoreText(from)] as const;
  const read = (offset: number, count: number): Promise<string[]> =>
    redis.zrevrangebyscore(keys.pushesOf(app, service), ...bounds, 'LIMIT', offset, count);
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
