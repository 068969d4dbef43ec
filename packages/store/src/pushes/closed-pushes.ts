import type { Audience } from '@pushfleet/domain';
import { SHARDS } from '../kit/shards';
import { isDone, luaScript } from '../kit/lua/script';
import { bookScript, openBookKeeping } from './book-keeping';
import { CLOSED_PUSH_SUFFIXES } from './keys';
import { ID_BYTES } from './push-ids';
import type { PushParts } from './push-parts';
import { decodeText, encodeText } from './push-text';
import { RECORD } from './record-fields';

export interface ClosedPushes {
  /**
   * Removes the oldest closed records of a push shard until the others fit into the shard's share of `maxBytes`. Resolves with
   * the number of removed records. Old records expire without it.
   */
  trim(shard: number, bounds: { readonly maxBytes: number; readonly stopping: AbortSignal }): Promise<number>;
  /** Closes a push that cannot be read as an error; its outstanding devices have failed. False when it was closed before. */
  giveUp(pushId: string, now: number): Promise<boolean>;
}

const SUFFIXES = CLOSED_PUSH_SUFFIXES.map((suffix) => `:${suffix}`);

/** Records that one script removes: other commands wait meanwhile. */
const AT_ONCE = 500;
/** Of the entries of a list that have to be gone, behind others that are not, for it to be written anew. */
const REWRITE_SHARE = 0.1;

const forgetGone = luaScript('pushes/forget-gone', {
  params: { closed: 'key', prefix: 'text' },
  constants: { ID_BYTES, REWRITE_SHARE },
  answer: Number,
});

const trim = luaScript('pushes/trim', {
  params: { closed: 'key', prefix: 'text', excess: 'number', most: 'number', suffixes: 'texts' },
  constants: { ID_BYTES },
  answer: (raw: readonly [removed: number, freed: number]) => raw,
});

const giveUpScript = bookScript('pushes/give-up', { repaired: 'texts' }, isDone);

export function openClosedPushes(parts: PushParts): ClosedPushes {
  const { redis, keys } = parts;
  const giveUp = openBookKeeping(parts, giveUpScript);
  return {
    async trim(shard, { maxBytes, stopping }) {
      const list = { closed: keys.closedPushes(shard), prefix: keys.pushPrefix(shard) };
      let excess = (await forgetGone(redis, list)) - Math.floor(maxBytes / SHARDS);
      let total = 0;
      while (excess > 0 && !stopping.aborted) {
        const [removed, freed] = await trim(redis, { ...list, excess, most: AT_ONCE, suffixes: SUFFIXES });
        if (removed === 0) break;
        excess -= freed;
        total += removed;
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
