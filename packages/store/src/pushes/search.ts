import { LIMITS, type PushRecord } from '@pushfleet/domain';
import type { RedisClient } from '../kit/redis';
import type { PushKeys } from './keys';

/** A place in the list of an app's pushes, the newest of which comes first. */
export interface PushPosition {
  readonly createdAt: number;
  readonly pushId: string;
}

export interface PushSearch {
  readonly app: string;
  /** Of pushes that are found. */
  readonly limit: number;
  /** The last one that was looked at before. */
  readonly after?: PushPosition | undefined;
  isWanted(record: PushRecord): boolean;
  /** Ends the search when its caller has gone. */
  readonly signal?: AbortSignal | undefined;
}

export interface SearchedPushes {
  readonly results: readonly PushRecord[];
  /** The last one that was looked at; absent when there is no older one. */
  readonly end?: PushPosition;
}

interface SearchParts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  read(pushId: string): Promise<PushRecord | undefined>;
}

const CHUNK = 100;

/** Looks at the pushes of an app, the newest first, until enough are found or `pushesLookedAt` were looked at. */
export async function searchPushes(parts: SearchParts, search: PushSearch): Promise<SearchedPushes> {
  const results: PushRecord[] = [];
  let lookedAt = 0;
  for await (const places of inChunks(parts, search)) {
    search.signal?.throwIfAborted();
    const records = await Promise.all(places.map(({ pushId }) => parts.read(pushId)));
    for (const [i, record] of records.entries()) {
      lookedAt += 1;
      if (record && search.isWanted(record)) results.push(record);
      const end = places[i];
      if (end && (results.length === search.limit || lookedAt === LIMITS.pushesLookedAt.value)) return { results, end };
    }
  }
  return { results };
}

async function* inChunks(
  { redis, keys }: SearchParts,
  { app, after }: PushSearch,
): AsyncGenerator<readonly PushPosition[]> {
  const [key, from] = [keys.pushesOf(app), after?.createdAt ?? '+inf'];
  for (let offset = 0; ; offset += CHUNK) {
    const flat = await redis.zrevrangebyscore(key, from, '-inf', 'WITHSCORES', 'LIMIT', offset, CHUNK);
    const places = positionsIn(flat);
    yield places.filter((place) => after === undefined || isOlder(place, after));
    if (places.length < CHUNK) return;
  }
}

const positionsIn = (flat: readonly string[]): readonly PushPosition[] =>
  flat.flatMap((pushId, i) => (i % 2 === 0 ? [{ pushId, createdAt: Number(flat[i + 1]) }] : []));

/** Of pushes of the same moment, the list has the greater id first. */
const isOlder = (one: PushPosition, other: PushPosition): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.pushId < other.pushId);
