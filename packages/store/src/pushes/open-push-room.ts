import { chunksOf, isJsonObject, LIMITS, plainJsonIn } from '@pushfleet/domain';
import { luaScript } from '../kit/lua/script';
import { MEMORY_LIMITS } from '../kit/memory-guard';
import type { RedisClient } from '../kit/redis';
import { redisSettings } from '../kit/redis-settings';
import { rememberBriefly } from '../kit/remember-briefly';
import { ALL_SHARDS } from '../kit/shards';
import type { PushKeys } from './keys';
import { OpenPushesFull, type OpenBytes } from './open-pushes-full';
import { NAMES } from './record-fields';

/** Apps share the room of pushes that are not done, when it becomes scarce. */
export interface OpenPushRoom {
  /**
   * Adds up what each app has where Redis fills, and tells every process which apps have too much. Resolves with these; undefined
   * when it was cut off.
   */
  look(wish: Look): Promise<FullApps | undefined>;
  /** Rejects with `OpenPushesFull` when an app had too much at the latest look. */
  require(app: string): Promise<void>;
}

export type FullApps = ReadonlyMap<string, OpenBytes>;

interface Look {
  /** What one app may have, 0: as much as it likes; absent: a share of the memory of a master. */
  readonly maxBytes?: number | undefined;
  readonly stopping: AbortSignal;
  /** Runs a portion of the work when it is its turn. */
  portion<T>(work: () => Promise<T>): Promise<T>;
}

/** A push has beside its record and its ledger: its jobs, its place in lists. 770 to 1,450 were measured. */
const JOB_BYTES = 1000;
/** Of one shard, chosen at random where there are more: a look takes so long at most, however many are open. */
const MOST_LOOKED_AT = 100;
/** For so long a look holds whose process looks no more: longer than one takes. */
const LIFE_MS = 120_000;
const NONE: FullApps = new Map();

const openBytes = luaScript('pushes/open-bytes', {
  params: { open: 'key', prefix: 'text' },
  constants: { ...NAMES, JOB_BYTES, MOST_LOOKED_AT },
  answer: (raw: readonly (string | number)[]) => chunksOf(raw, 2) as readonly [app: string, bytes: number][],
});

interface Parts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
  readonly now: () => number;
}

export function openPushRoom(parts: Parts): OpenPushRoom {
  const { redis, keys, now } = parts;
  const told = rememberBriefly(async () => fullAppsIn(await redis.get(keys.fullOfPushes())), now);
  return {
    async look(wish) {
      const ceiling = await ceilingOf(redis, wish.maxBytes);
      const full = ceiling === Infinity ? NONE : await appsBeyond(parts, ceiling, wish);
      if (full?.size === 0) await redis.del(keys.fullOfPushes());
      else if (full) await redis.set(keys.fullOfPushes(), JSON.stringify(Object.fromEntries(full)), 'PX', LIFE_MS);
      return full;
    },
    async require(app) {
      const full = (await told.get('')).get(app);
      if (full) throw new OpenPushesFull(full);
    },
  };
}

/**
 * Of all masters together an app may have what would be its share of one: whoever chooses `req_id`s chooses the shards of their
 * pushes, and so the master.
 */
async function ceilingOf(redis: RedisClient, maxBytes: number | undefined): Promise<number> {
  const masters = (await redisSettings(redis)).filter((master) => master.maxBytes > 0);
  const filling = masters.filter((master) => master.usedBytes >= MEMORY_LIMITS.openPushes * master.maxBytes);
  if (filling.length === 0) return Infinity;
  const share = LIMITS.openPushesShare.value / 100;
  return (maxBytes ?? Math.floor(share * Math.min(...filling.map((master) => master.maxBytes)))) || Infinity;
}

async function appsBeyond(
  { redis, keys }: Parts,
  ceiling: number,
  { stopping, portion }: Look,
): Promise<FullApps | undefined> {
  const sums = new Map<string, number>();
  for (const shard of ALL_SHARDS) {
    if (stopping.aborted) return undefined;
    const of = { open: keys.openPushes(shard), prefix: keys.pushPrefix(shard) };
    for (const [app, bytes] of await portion(() => openBytes(redis, of))) sums.set(app, (sums.get(app) ?? 0) + bytes);
  }
  const beyond = [...sums].filter(([, bytes]) => bytes > ceiling);
  return new Map(beyond.map(([app, bytes]) => [app, { bytes, ceiling }]));
}

/** What is damaged refuses nobody; the next look writes it anew. */
function fullAppsIn(text: string | null): FullApps {
  const told = plainJsonIn(text ?? '');
  if (!isJsonObject(told)) return NONE;
  return new Map(Object.entries(told).flatMap(([app, value]) => (isOpenBytes(value) ? [[app, value] as const] : [])));
}

const isOpenBytes = (value: unknown): value is OpenBytes =>
  isJsonObject(value) && ['bytes', 'ceiling'].every((name) => typeof value[name] === 'number');
