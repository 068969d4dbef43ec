import { chunksOf, type Audience } from '@pushfleet/domain';
import { ALL_SHARDS } from '../kit/shards';
import { each } from '../kit/lua/params';
import { isDone, luaScript } from '../kit/lua/script';
import { bookScript, openBookKeeping } from './book-keeping';
import { CLOSED_PUSH_SUFFIXES } from './keys';
import { ID_BYTES } from './push-ids';
import type { PushParts } from './push-parts';
import { decodeText, emptyText, encodeText } from './push-text';
import { NAMES, RECORD } from './record-fields';

export interface ClosedPushes {
  /**
   * Removes closed records until the others fit into `maxBytes`: of apps that hold more than their share, the first to expire
   * first. Resolves with the number of removed ones. A record may be larger than what others of its shard take together, so that
   * all shards are looked at as one.
   */
  trim(bounds: { readonly maxBytes: number; readonly stopping: AbortSignal }): Promise<number>;
  /** Closes a push that cannot be read as an error; its outstanding devices have failed. False when it was closed before. */
  giveUp(pushId: string, now: number): Promise<boolean>;
}

const SUFFIXES = CLOSED_PUSH_SUFFIXES.map((suffix) => `:${suffix}`);

/** Records that one script removes: other commands wait meanwhile. */
const AT_ONCE = 500;
/** Of the entries of a list that have to be gone, behind others that are not, for it to be written anew. */
const REWRITE_SHARE = 0.1;

const HOUR_MS = 3_600_000;

const forgetGone = luaScript('pushes/forget-gone', {
  params: { closed: 'key', prefix: 'text' },
  constants: { ID_BYTES, REWRITE_SHARE },
  answer: (bytes: number) => bytes,
});

const readBytes = luaScript('pushes/closed-bytes', {
  params: { closed: 'key', prefix: 'text' },
  constants: { ...NAMES, ID_BYTES, HOUR_MS },
  answer: (raw: readonly (string | number)[]) => chunksOf(raw, 3) as readonly [string, number, number][],
});

const trim = luaScript('pushes/trim', {
  params: {
    closed: 'key',
    prefix: 'text',
    most: 'number',
    apps: each({ app: 'text', hours: 'number', excess: 'number' }),
    suffixes: 'texts',
  },
  constants: { ...NAMES, ID_BYTES, HOUR_MS },
  answer: ([removed = 0, ...freed]: readonly number[]) => ({ removed, freed }),
});

const giveUpScript = bookScript('pushes/give-up', { repaired: 'texts' }, isDone);

export function openClosedPushes(parts: PushParts): ClosedPushes {
  const { redis, keys } = parts;
  const giveUp = openBookKeeping(parts, giveUpScript);
  return {
    async trim({ maxBytes, stopping }) {
      if ((await bytesKept(parts, stopping)) <= maxBytes) return 0;
      const apps = tooMuch(await bytesByApp(parts, stopping), maxBytes);
      let removed = 0;
      // Of the last hour, only so many as are still too many.
      for (const sooner of [1, 0])
        for (const shard of ALL_SHARDS) removed += await trimShard(parts, { shard, apps, sooner, stopping });
      return removed;
    },
    async giveUp(pushId, now) {
      const names = Object.keys(FIELDS);
      const values = await redis.hmget(keys.pushRecord(pushId), ...names);
      const repaired = names.flatMap((name, i) => {
        const field = FIELDS[name];
        return !field || field.isReadable(values[i] ?? null) ? [] : [name, field.insteadOf(now)];
      });
      return giveUp({ pushId, now, wants: { repaired } });
    },
  };
}

const listOf = ({ keys }: PushParts, shard: number) => ({
  closed: keys.closedPushes(shard),
  prefix: keys.pushPrefix(shard),
});

async function bytesKept(parts: PushParts, stopping: AbortSignal): Promise<number> {
  let bytes = 0;
  for (const shard of ALL_SHARDS) if (!stopping.aborted) bytes += await forgetGone(parts.redis, listOf(parts, shard));
  return bytes;
}

/** Bytes of records by the hours after which they expire. */
type ByHours = Map<number, number>;

async function bytesByApp(parts: PushParts, stopping: AbortSignal): Promise<ReadonlyMap<string, ByHours>> {
  const sums = new Map<string, ByHours>();
  for (const shard of ALL_SHARDS) {
    if (stopping.aborted) break;
    for (const [app, hours, bytes] of await readBytes(parts.redis, listOf(parts, shard))) {
      const ofApp = sums.get(app) ?? new Map<number, number>();
      sums.set(app, ofApp.set(hours, (ofApp.get(hours) ?? 0) + bytes));
    }
  }
  return sums;
}

/** What has to go of an app, and in how many hours its last record expires. */
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

async function trimShard(parts: PushParts, { shard, apps, sooner, stopping }: ShardToTrim): Promise<number> {
  let total = 0;
  for (let isOver = false; !isOver && !stopping.aborted;) {
    const left = apps.filter(({ excess }) => excess > 0);
    if (left.length === 0) break;
    const wish = {
      most: AT_ONCE,
      apps: left.map((one) => ({ ...one, hours: one.hours - sooner })),
      suffixes: SUFFIXES,
    };
    const { removed, freed } = await trim(parts.redis, { ...listOf(parts, shard), ...wish });
    for (const [i, one] of left.entries()) one.excess -= freed[i] ?? 0;
    total += removed;
    isOver = removed < AT_ONCE;
  }
  return total;
}

interface Field {
  isReadable(value: string | null): boolean;
  insteadOf(now: number): string;
}

const passes = (parse: () => unknown): boolean => {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
};

const json = (instead: unknown): Field => ({
  isReadable: (value) => value === null || passes(() => JSON.parse(value)),
  insteadOf: () => JSON.stringify(instead),
});

const FORGOTTEN: Audience = { isForgotten: true };

/** The parsed fields of a record, each with a readable value that replaces an unreadable one. */
const FIELDS: Readonly<Record<string, Field>> = {
  [RECORD.push]: {
    isReadable: (value) => passes(() => decodeText(value ?? '')),
    insteadOf: (now) => encodeText(emptyText(now)),
  },
  [RECORD.audience]: json(FORGOTTEN),
  [RECORD.where]: json({}),
  [RECORD.resolvedAudience]: json(FORGOTTEN),
};
