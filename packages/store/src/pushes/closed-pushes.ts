import { chunksOf, type Audience } from '@pushfleet/domain';
import { ALL_SHARDS } from '../kit/shards';
import { isDone, luaScript } from '../kit/lua/script';
import { bookScript, openBookKeeping } from './book-keeping';
import { CLOSED_PUSH_SUFFIXES } from './keys';
import { ID_BYTES } from './push-ids';
import type { PushParts } from './push-parts';
import { decodeText, encodeText } from './push-text';
import { RECORD } from './record-fields';

export interface ClosedPushes {
  /**
   * Removes closed records, the first to expire first, until the others fit into `maxBytes`. Resolves with the number of removed
   * ones. A record may be larger than what others of its shard take together, so that all shards are looked at as one.
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
  constants: { ID_BYTES, REWRITE_SHARE, HOUR_MS },
  answer: (raw: readonly number[]) => raw,
});

const trim = luaScript('pushes/trim', {
  params: { closed: 'key', prefix: 'text', hours: 'number', excess: 'number', most: 'number', suffixes: 'texts' },
  constants: { ID_BYTES, HOUR_MS },
  answer: (raw: readonly [removed: number, freed: number]) => raw,
});

const giveUpScript = bookScript('pushes/give-up', { repaired: 'texts' }, isDone);

export function openClosedPushes(parts: PushParts): ClosedPushes {
  const { redis, keys } = parts;
  const giveUp = openBookKeeping(parts, giveUpScript);
  return {
    async trim({ maxBytes, stopping }) {
      const { excess, hours } = tooMuch(await bytesByHours(parts, stopping), maxBytes);
      let [total, left] = [0, excess];
      // Of the last hour, only so many as are still too many.
      for (const within of [hours - 1, hours])
        for (const shard of ALL_SHARDS) {
          const wish = { ...listOf(parts, shard), hours: within, most: AT_ONCE, suffixes: SUFFIXES };
          for (let isOver = false; !isOver && left > 0 && !stopping.aborted;) {
            const [removed, freed] = await trim(redis, { ...wish, excess: left });
            total += removed;
            left -= freed;
            isOver = removed < AT_ONCE;
          }
        }
      return total;
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

/** What the records of all shards take, by the hours after which they expire. */
async function bytesByHours(parts: PushParts, stopping: AbortSignal): Promise<ReadonlyMap<number, number>> {
  const sums = new Map<number, number>();
  for (const shard of ALL_SHARDS) {
    if (stopping.aborted) break;
    for (const [hours = 0, bytes = 0] of chunksOf(await forgetGone(parts.redis, listOf(parts, shard)), 2))
      sums.set(hours, (sums.get(hours) ?? 0) + bytes);
  }
  return sums;
}

/** What has to go, and in how many hours its last record expires. */
function tooMuch(byHours: ReadonlyMap<number, number>, maxBytes: number): { excess: number; hours: number } {
  const ordered = [...byHours].sort(([a], [b]) => a - b);
  const excess = ordered.reduce((all, [, bytes]) => all + bytes, 0) - maxBytes;
  let left = excess;
  const last = ordered.find(([, bytes]) => (left -= bytes) <= 0);
  return { excess, hours: last?.[0] ?? 0 };
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
    insteadOf: (now) => {
      const times = { createdAt: now, pushTime: now, expiresAt: now };
      return encodeText({ content: { data: {}, sections: {} }, prod: 'prod', ...times });
    },
  },
  [RECORD.audience]: json(FORGOTTEN),
  [RECORD.where]: json({}),
  [RECORD.resolvedAudience]: json(FORGOTTEN),
};
