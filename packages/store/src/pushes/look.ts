import type { RedisClient } from '../kit/redis';
import { PUSH_ID } from './push-ids';

/** A place in the list of an app's pushes, the newest of which comes first. */
export interface PushPosition {
  readonly createdAt: number;
  readonly pushId: string;
}

/** As callers hand it on: to go on behind this push. */
export const pushCursorOf = ({ createdAt, pushId }: PushPosition): string => `${createdAt}-${pushId}`;

export const PUSH_CURSOR = new RegExp(`^[0-9]{1,16}-${PUSH_ID}$`);

export function readPushCursor(cursor: string): PushPosition {
  const [createdAt, pushId = ''] = cursor.split('-');
  return { createdAt: Number(createdAt), pushId };
}

export interface LookRange {
  /** Of a list of pushes. */
  readonly key: string;
  /** The last one that was looked at before. */
  readonly after?: PushPosition | undefined;
  /** Created at or after, and at or before; milliseconds since the epoch. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Of pushes that are found. */
  readonly limit: number;
  /** Of pushes that are looked at, found or not. */
  readonly lookAt: number;
  /** Ends the search when its caller has gone. */
  readonly signal?: AbortSignal | undefined;
}

export interface Looked<T> {
  readonly results: readonly T[];
  readonly lookedAt: number;
  /** The last one that was looked at; absent when there is no older one. */
  readonly end?: PushPosition;
}

const CHUNK = 100;

/** Looks at the pushes of a list, the newest first, until enough are found or were looked at. */
export async function lookThrough<T>(
  redis: RedisClient,
  range: LookRange,
  choose: (pushIds: readonly string[]) => Promise<readonly (T | undefined)[]>,
): Promise<Looked<T>> {
  const results: T[] = [];
  let lookedAt = 0;
  for await (const places of inChunks(redis, range)) {
    range.signal?.throwIfAborted();
    const chosen = await choose(places.map(({ pushId }) => pushId));
    for (const [i, end] of places.entries()) {
      lookedAt += 1;
      const one = chosen[i];
      if (one !== undefined) results.push(one);
      if (results.length === range.limit || lookedAt === range.lookAt) return { results, lookedAt, end };
    }
  }
  return { results, lookedAt };
}

async function* inChunks(
  redis: RedisClient,
  { key, after, from = -Infinity, to = Infinity, lookAt }: LookRange,
): AsyncGenerator<readonly PushPosition[]> {
  const size = Math.min(CHUNK, lookAt);
  let last = after;
  /** Pushes of the moment of the last one that were looked at before. */
  let offset = 0;
  for (;;) {
    const newest = Math.min(to, last?.createdAt ?? Infinity);
    const bounds = [scoreText(newest), scoreText(from), 'WITHSCORES', 'LIMIT', offset, size] as const;
    const places = positionsIn(await redis.zrevrangebyscore(key, ...bounds));
    // By the last one, not by its rank: pushes that come meanwhile stand in front of all of them.
    const older = places.filter((place) => last === undefined || isOlder(place, last));
    yield older;
    if (places.length < size) return;
    const at = places.at(-1)?.createdAt;
    const ofMoment = places.filter(({ createdAt }) => createdAt === at).length;
    offset = at === newest ? offset + size : ofMoment;
    last = older.at(-1) ?? last;
  }
}

const positionsIn = (flat: readonly string[]): readonly PushPosition[] =>
  flat.flatMap((pushId, i) => (i % 2 === 0 ? [{ pushId, createdAt: Number(flat[i + 1]) }] : []));

/** Of pushes of the same moment, the list has the greater id first. */
const isOlder = (one: PushPosition, other: PushPosition): boolean =>
  one.createdAt < other.createdAt || (one.createdAt === other.createdAt && one.pushId < other.pushId);

const scoreText = (bound: number): string =>
  bound === Infinity ? '+inf' : bound === -Infinity ? '-inf' : String(bound);
