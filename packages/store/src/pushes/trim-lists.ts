import { chunksOf } from '@pushfleet/domain';
import { each } from '../kit/lua/params';
import { luaScript } from '../kit/lua/script';
import type { MemoryGuard } from '../kit/memory-guard';
import type { RedisClient } from '../kit/redis';
import { ALL_SHARDS } from '../kit/shards';
import { ID_BYTES } from './push-ids';
import { NAMES } from './record-fields';

export interface Bounds {
  /** Absent: a share of the memory that Redis has. */
  readonly maxBytes?: number | undefined;
  readonly stopping: AbortSignal;
}

/** A list of what pushes of a shard keep: how the keys of its pushes begin, and how the one of what is listed ends. */
interface ShardList {
  readonly list: string;
  readonly prefix: string;
  readonly suffix: string;
}

interface Wish extends ShardList {
  readonly most: number;
  readonly apps: readonly { readonly app: string; readonly hours: number; readonly excess: number }[];
}

interface Trimmed {
  readonly removed: number;
  /** Bytes of each app. */
  readonly freed: readonly number[];
}

/** What pushes keep in Redis for a while, listed by shard. */
export interface Listing {
  /** What it may take of the memory of Redis where nobody says bytes, in percent. */
  readonly share: number;
  of(shard: number): ShardList;
  trim(shard: number, wish: Wish): Promise<Trimmed>;
}

/** Entries that one script removes: other commands wait meanwhile. */
const AT_ONCE = 500;
/** Of the entries of a list that have to be gone, behind others that are not, for it to be written anew. */
const REWRITE_SHARE = 0.1;

const HOUR_MS = 3_600_000;

const LIST = { list: 'key', prefix: 'text', suffix: 'text' } as const;

/** Of a script that trims a list. */
export const TRIM_PARAMS = {
  ...LIST,
  most: 'number',
  apps: each({ app: 'text', hours: 'number', excess: 'number' }),
} as const;
export const TRIM_CONSTANTS = { ...NAMES, ID_BYTES, HOUR_MS };
export const trimmed = ([removed = 0, ...freed]: readonly number[]): Trimmed => ({ removed, freed });

const forgetGone = luaScript('pushes/forget-gone', {
  params: LIST,
  constants: { ID_BYTES, REWRITE_SHARE },
  answer: (bytes: number) => bytes,
});

const readBytes = luaScript('pushes/listed-bytes', {
  params: LIST,
  constants: TRIM_CONSTANTS,
  answer: (raw: readonly (string | number)[]) => chunksOf(raw, 3) as readonly [string, number, number][],
});

export interface TrimPorts {
  readonly redis: RedisClient;
  readonly memory: Pick<MemoryGuard, 'share'>;
}

/**
 * Removes what is listed until the rest fits: of apps that hold more than their share, the first to expire first.
 * Resolves with how many were removed. One may be larger than what others of its shard take together, so that all shards are
 * looked at as one.
 */
export async function trimLists({ redis, memory }: TrimPorts, listing: Listing, bounds: Bounds): Promise<number> {
  const maxBytes = bounds.maxBytes ?? (await memory.share(listing.share));
  if ((await bytesKept(redis, listing, bounds)) <= maxBytes) return 0;
  const apps = tooMuch(await bytesByApp(redis, listing, bounds), maxBytes);
  let removed = 0;
  // Of the last hour, only so many as are still too many.
  for (const sooner of [1, 0])
    for (const shard of ALL_SHARDS) removed += await trimShard(listing, { shard, apps, sooner, ...bounds });
  return removed;
}

async function bytesKept(redis: RedisClient, listing: Listing, { stopping }: Bounds): Promise<number> {
  let bytes = 0;
  for (const shard of ALL_SHARDS) if (!stopping.aborted) bytes += await forgetGone(redis, listing.of(shard));
  return bytes;
}

/** Bytes by the hours after which they expire. */
type ByHours = Map<number, number>;

async function bytesByApp(
  redis: RedisClient,
  listing: Listing,
  { stopping }: Bounds,
): Promise<ReadonlyMap<string, ByHours>> {
  const sums = new Map<string, ByHours>();
  for (const shard of ALL_SHARDS) {
    if (stopping.aborted) break;
    for (const [app, hours, bytes] of await readBytes(redis, listing.of(shard))) {
      const ofApp = sums.get(app) ?? new Map<number, number>();
      sums.set(app, ofApp.set(hours, (ofApp.get(hours) ?? 0) + bytes));
    }
  }
  return sums;
}

/** What has to go of an app, and in how many hours the last of it expires. */
interface TooMuch {
  readonly app: string;
  excess: number;
  readonly hours: number;
}

/** Apps share the room equally; what one leaves of its share, the others have. */
function tooMuch(byApp: ReadonlyMap<string, ByHours>, maxBytes: number): readonly TooMuch[] {
  const held = Array.from(byApp, ([app, byHours]) => ({ app, byHours, bytes: sumOf(byHours.values()) }));
  held.sort((a, b) => a.bytes - b.bytes);
  let [room, sharers] = [maxBytes, held.length];
  return held.flatMap(({ app, byHours, bytes }) => {
    const excess = bytes - room / sharers;
    room -= Math.min(bytes, room / sharers);
    sharers -= 1;
    return excess > 0 ? [{ app, excess, hours: lastHour(byHours, excess) }] : [];
  });
}

const sumOf = (numbers: Iterable<number>): number => [...numbers].reduce((sum, number) => sum + number, 0);

function lastHour(byHours: ByHours, excess: number): number {
  let left = excess;
  return [...byHours].sort(([a], [b]) => a - b).find(([, bytes]) => (left -= bytes) <= 0)?.[0] ?? 0;
}

interface ShardToTrim {
  readonly shard: number;
  readonly apps: readonly TooMuch[];
  readonly sooner: number;
  readonly stopping: AbortSignal;
}

async function trimShard(listing: Listing, { shard, apps, sooner, stopping }: ShardToTrim): Promise<number> {
  let total = 0;
  for (let isOver = false; !isOver && !stopping.aborted;) {
    const left = apps.filter(({ excess }) => excess > 0);
    if (left.length === 0) break;
    const wished = left.map(({ app, excess, hours }) => ({ app, excess, hours: hours - sooner }));
    const { removed, freed } = await listing.trim(shard, { ...listing.of(shard), most: AT_ONCE, apps: wished });
    for (const [i, one] of left.entries()) one.excess -= freed[i] ?? 0;
    total += removed;
    isOver = removed < AT_ONCE;
  }
  return total;
}
