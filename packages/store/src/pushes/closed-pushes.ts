import { COUNTED_RECEIPTS, type Audience } from '@pushfleet/domain';
import { SHARDS } from '../kit/shards';
import { isDone, luaScript } from '../kit/lua/script';
import { bookScript, openBookKeeping, type BookKeepingParts } from './book-keeping';
import { ID_BYTES } from './push-ids';
import { decodeText, encodeText } from './push-text';
import { RECORD } from './record-fields';

export interface ClosedPushes {
  /**
   * Takes the oldest closed records of a push shard away until they fit into the shard's share of `maxBytes`; they go by
   * themselves when they are old. Resolves with the records removed, `most` of them at most.
   */
  trim(shard: number, bounds: { readonly maxBytes: number; readonly most: number }): Promise<number>;
  /** Closes a push that cannot be read, as an error; what it left outstanding has failed. False when it was closed. */
  giveUp(pushId: string, now: number): Promise<boolean>;
}

/** Of the keys that go with a record. */
const SUFFIXES = [':verdicts', ...COUNTED_RECEIPTS.flatMap((kind) => [`:${kind}`, `:${kind}:sketch`])];

const trim = luaScript('pushes/trim', {
  params: { closed: 'key', prefix: 'text', allowed: 'number', most: 'number', suffixes: 'texts' },
  constants: { ID_BYTES },
  answer: Number,
});

const giveUpScript = bookScript('pushes/give-up', { repaired: 'texts' }, isDone);

export function openClosedPushes(parts: BookKeepingParts): ClosedPushes {
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

/** Fields of a record that are parsed, and what stands in their place so that lists can be read again. */
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
