import { COUNTED_RECEIPTS, type Audience } from '@pushfleet/domain';
import { SHARDS } from '../kit/shards';
import { isDone, luaScript } from '../kit/lua/script';
import { bookScript, openBookKeeping } from './book-keeping';
import { ID_BYTES } from './push-ids';
import type { PushParts } from './push-parts';
import { decodeText, encodeText } from './push-text';
import { RECORD } from './record-fields';

export interface ClosedPushes {
  /**
   * Removes the oldest closed records of a push shard until the others fit into the shard's share of `maxBytes`, at most `most`
   * of them. Resolves with the number of removed records. Old records expire without it.
   */
  trim(shard: number, bounds: { readonly maxBytes: number; readonly most: number }): Promise<number>;
  /** Closes a push that cannot be read as an error; its outstanding devices have failed. False when it was closed before. */
  giveUp(pushId: string, now: number): Promise<boolean>;
}

/** Suffixes of the keys that are removed with a record. */
const SUFFIXES = [':verdicts', ':outcomes', ...COUNTED_RECEIPTS.flatMap((kind) => [`:${kind}`, `:${kind}:sketch`])];

const trim = luaScript('pushes/trim', {
  params: { closed: 'key', prefix: 'text', allowed: 'number', most: 'number', suffixes: 'texts' },
  constants: { ID_BYTES },
  answer: Number,
});

const giveUpScript = bookScript('pushes/give-up', { repaired: 'texts' }, isDone);

export function openClosedPushes(parts: PushParts): ClosedPushes {
  const { redis, keys } = parts;
  const giveUp = openBookKeeping(parts, giveUpScript);
  return {
    trim: (shard, { maxBytes, most }) =>
      trim(redis, {
        ...{ closed: keys.closedPushes(shard), prefix: keys.pushPrefix(shard) },
        ...{ allowed: Math.floor(maxBytes / SHARDS), most, suffixes: SUFFIXES },
      }),
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
