import { LIMITS, type PushRecord, type PushService, type PushStatus } from '@pushfleet/domain';
import type { RedisClient } from '../kit/redis';
import type { PushKeys } from './keys';
import { lookThrough, type Looked, type LookRange } from './look';
import { RECORD } from './record-fields';

/** Pushes as far as one request looks, the newest first. */
export type SearchedPushes = Looked<PushRecord>;

interface OfService {
  /** Pushes that this service asked for; absent: those of senders. */
  readonly service?: PushService | undefined;
}

export interface PushSearch extends OfService, Pick<LookRange, 'limit' | 'after' | 'signal'> {
  readonly app: string;
  isWanted(record: PushRecord): boolean;
}

export interface PushFilter extends OfService, Omit<LookRange, 'key' | 'lookAt'> {
  /** How many of those that are found to leave out first. */
  readonly skip: number;
  readonly status?: PushStatus | undefined;
  /** Cancelled pushes are left out. */
  readonly isLiveOnly?: boolean;
}

interface SearchParts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  read(pushId: string): Promise<PushRecord | undefined>;
}

/** Reads the record of every push that it looks at. */
export function searchPushes(
  { redis, keys, read }: SearchParts,
  { app, service, isWanted, ...wish }: PushSearch,
): Promise<SearchedPushes> {
  const range = { ...wish, key: keys.pushesOf(app, service), lookAt: LIMITS.pushesLookedAt.value };
  return lookThrough(redis, range, (pushIds) =>
    Promise.all(
      pushIds.map(async (pushId) => {
        const record = await read(pushId);
        return record && isWanted(record) ? record : undefined;
      }),
    ),
  );
}

/** Reads of every push what it is chosen by, and the records of those that are found. */
export async function filterPushes(
  { redis, keys, read }: SearchParts,
  app: string,
  { limit, skip, status, isLiveOnly = false, service, ...wish }: PushFilter,
): Promise<SearchedPushes> {
  if (limit === 0) return { results: [], lookedAt: 0 };
  // Whoever skips many has looked at them before: they are no search.
  const lookAt = skip + limit + LIMITS.pushesFiltered.value;
  const range = { ...wish, key: keys.pushesOf(app, service), limit: skip + limit, lookAt };
  const isWanted = ([has, cancelled]: readonly (string | null)[]): boolean =>
    typeof has === 'string' && (status === undefined || has === status) && !(isLiveOnly && cancelled !== null);
  const { results, ...looked } = await lookThrough(redis, range, async (pushIds) => {
    const states = await Promise.all(
      pushIds.map((id) => redis.hmget(keys.pushRecord(id), RECORD.status, RECORD.cancelled)),
    );
    return pushIds.map((id, i) => (isWanted(states[i] ?? []) ? id : undefined));
  });
  const records = await Promise.all(results.slice(skip).map(read));
  return { ...looked, results: records.filter((record) => record !== undefined) };
}
