import { sharedBucketOf, type LanePosition, type RouteBucket } from '@pushfleet/domain';
import type { InstallationKeys } from './keys';
import { ALL_SHARDS, SHARDS } from '../kit/shards';
import { replaceField } from '../kit/compare';
import { recordIn } from '../kit/damaged-record';
import { luaScript, nothing } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { atOnce } from './at-once';
import { changeInstallation } from './change';
import { placeOf } from './placement';
import { after, decodeInstallation, splitAddress } from './stored';
import type { Writer } from './write';

/** A bucket that is gone through device by device; where the walk stands outlives whoever walks. */
export interface BucketMove {
  readonly app: string;
  readonly bucket: RouteBucket;
  /** As it is kept: an older walk that goes on is refused its next step. */
  readonly text: string;
}

interface Progress {
  /** When it was asked for: what others write with an older view of the profiles is there a little later. */
  readonly since: number;
  /** The walk that is under way began then; absent: none is. */
  readonly begunAt?: number;
  /** A walk ended before everything had to be there: the next one waits for that. */
  readonly waits?: boolean;
  readonly at: LanePosition;
}

export interface BucketMoves {
  list(): Promise<readonly BucketMove[]>;
  /** Goes through a bucket, or on where another stopped; resolves with the number of devices that were moved. */
  run(move: BucketMove, times: { readonly now: () => number; readonly stopping: AbortSignal }): Promise<number>;
  /** Has the buckets of an app merged that no profile ever had. */
  requestMerges(app: string, now: number): Promise<void>;
}

/** After this long, whatever a process wrote without knowing of a new profile is written. */
const SETTLED_MS = 10_000;
const START: LanePosition = { shard: 0, objectId: '' };
const PAGE = 500;
const AT_ONCE = 16;

const fieldOf = (app: string, bucket: RouteBucket): string => `${app} ${bucket}`;

/** Undefined where it is damaged: the walk begins anew. */
function progressIn(text: string): Progress | undefined {
  const found = recordIn(text) as Partial<Progress> | undefined;
  const isWhole = Number.isFinite(found?.since) && Number.isInteger(found?.at?.shard);
  return isWhole ? (found as Progress) : undefined;
}

/** Called around the saving of a profile: its bucket has a name, and devices that wait under it are looked for. */
export async function openProfileBucket(
  { redis, keys }: { redis: RedisClient; keys: InstallationKeys },
  { app, bucket, now }: { app: string; bucket: RouteBucket; now: number },
): Promise<void> {
  await redis.sadd(keys.profileBuckets(app), bucket);
  await redis.sadd(keys.buckets(app), bucket);
  const shared = sharedBucketOf(bucket);
  if (shared === undefined) return;
  await redis.hset(keys.bucketMoves(), fieldOf(app, shared), JSON.stringify({ since: now, at: START }));
}

const dropBucketName = luaScript('installations/drop-bucket-name', {
  params: { names: 'key', kept: 'key', bucket: 'text' },
  answer: nothing,
});

export function openBucketMoves(writer: Writer): BucketMoves {
  const { redis, keys } = writer;

  /** The move after the step; undefined when another has taken it over, or it was asked for anew. */
  async function step({ app, bucket, text }: BucketMove, next: Progress | undefined): Promise<BucketMove | undefined> {
    const nextText = next ? JSON.stringify(next) : '';
    const change = { hash: keys.bucketMoves(), field: fieldOf(app, bucket), from: text, to: nextText };
    if (!(await replaceField(redis, change))) return undefined;
    return { app, bucket, text: nextText };
  }

  async function end(move: BucketMove, { since, begunAt = 0 }: Progress): Promise<void> {
    if (begunAt < since + SETTLED_MS) return void (await step(move, { since, waits: true, at: START }));
    if (!(await step(move, undefined)) || sharedBucketOf(move.bucket) === undefined) return;
    const { app, bucket } = move;
    const sizes = await Promise.all(ALL_SHARDS.map((shard) => redis.zcard(keys.bucket(app, shard, bucket))));
    if (sizes.every((size) => size === 0))
      await dropBucketName(redis, { names: keys.buckets(app), kept: keys.profileBuckets(app), bucket });
  }

  return {
    async list() {
      const moves = Object.entries(await redis.hgetall(keys.bucketMoves()));
      return moves.map(([field, text]) => {
        const space = field.indexOf(' ');
        return { app: field.slice(0, space), bucket: field.slice(space + 1), text };
      });
    },
    async run(asked, { now, stopping }) {
      const found = progressIn(asked.text) ?? { since: now(), at: START };
      if (found.waits === true && now() < found.since + SETTLED_MS) return 0;
      const progress = { since: found.since, begunAt: found.begunAt ?? now(), at: found.at };
      let moved = 0;
      let move: BucketMove | undefined = asked;
      for (let { shard, objectId: behind } = progress.at; shard < SHARDS; shard += 1, behind = '') {
        for (;;) {
          if (stopping.aborted) return moved;
          const page = await movePage(writer, move, { shard, behind });
          if (page === undefined) break;
          moved += page.moved;
          behind = page.last;
          move = await step(move, { ...progress, at: { shard, objectId: behind } });
          if (!move) return moved;
        }
      }
      await end(move, progress);
      return moved;
    },
    async requestMerges(app, now) {
      const [names, kept, profiles] = await Promise.all([
        redis.smembers(keys.buckets(app)),
        redis.smembers(keys.profileBuckets(app)),
        redis.hkeys(keys.profiles(app)),
      ]);
      const known = new Set([...kept, ...profiles]);
      const text = JSON.stringify({ since: now - SETTLED_MS, at: START });
      for (const bucket of names)
        if (sharedBucketOf(bucket) !== undefined && !known.has(bucket))
          await redis.hsetnx(keys.bucketMoves(), fieldOf(app, bucket), text);
    },
  };
}

interface Page {
  readonly moved: number;
  readonly last: string;
}

/** The next devices of a shard, each put where it belongs by now; undefined behind the last. */
async function movePage(
  writer: Writer,
  { app, bucket }: BucketMove,
  { shard, behind }: { shard: number; behind: string },
): Promise<Page | undefined> {
  const { redis, keys } = writer;
  const key = keys.bucket(app, shard, bucket);
  const addresses = await redis.zrangebylex(key, after(behind), '+', 'LIMIT', 0, PAGE);
  const devices = addresses.map(splitAddress);
  const last = devices.at(-1)?.objectId;
  if (last === undefined) return undefined;
  const ids = devices.map(({ objectId }) => objectId);
  const texts = await redis.hmget(keys.records(app, shard), ...ids);
  let moved = 0;
  await atOnce(AT_ONCE, [...devices.entries()], async ([i, { objectId, registrationId }]) => {
    const text = texts[i];
    if (typeof text !== 'string') return;
    const stored = decodeInstallation(objectId, text, registrationId);
    const place = stored && (await placeOf(writer, app, stored));
    if (!place || place.bucket === bucket) return;
    const isMoved = await moveDevice(writer, { app, objectId, bucket });
    moved += Number(isMoved);
  });
  return { moved, last };
}

/** False when it is somewhere else already: whoever wrote it meanwhile knew where it belongs. */
const moveDevice = (
  writer: Writer,
  { app, objectId, bucket }: { app: string; objectId: string; bucket: RouteBucket },
): Promise<boolean> =>
  changeInstallation(writer, app, { objectId, next: (now) => (now.bucket === bucket ? now : undefined) });
