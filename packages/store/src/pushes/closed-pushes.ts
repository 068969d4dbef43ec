import { LIMITS, type Audience } from '@pushfleet/domain';
import { isDone, luaScript } from '../kit/lua/script';
import { bookScript, openBookKeeping } from './book-keeping';
import { CLOSED_PUSH_SUFFIXES } from './keys';
import type { PushParts } from './push-parts';
import { decodeText, emptyText, encodeText } from './push-text';
import { RECORD } from './record-fields';
import {
  type Bounds,
  type Listing,
  TRIM_CONSTANTS,
  TRIM_PARAMS,
  type TrimPorts,
  trimLists,
  trimmed,
} from './trim-lists';

export interface ClosedPushes {
  /** Removes closed records until the others fit. Resolves with the number of removed ones. */
  trim(bounds: Bounds): Promise<number>;
  /** Closes a push that cannot be read as an error; its outstanding devices have failed. False when it was closed before. */
  giveUp(pushId: string, now: number): Promise<boolean>;
}

const SUFFIXES = CLOSED_PUSH_SUFFIXES.map((suffix) => `:${suffix}`);

const trimRecords = luaScript('pushes/trim-records', {
  params: { ...TRIM_PARAMS, suffixes: 'texts' },
  constants: TRIM_CONSTANTS,
  answer: trimmed,
});

const giveUpScript = bookScript('pushes/give-up', { repaired: 'texts' }, isDone);

export function openClosedPushes(parts: PushParts & TrimPorts): ClosedPushes {
  const { redis, keys } = parts;
  const giveUp = openBookKeeping(parts, giveUpScript);
  const listing: Listing = {
    share: LIMITS.pushRecordsShare.value,
    of: (shard) => ({ list: keys.closedPushes(shard), prefix: keys.pushPrefix(shard), suffix: '' }),
    trim: (_, wish) => trimRecords(redis, { ...wish, suffixes: SUFFIXES }),
  };
  return {
    trim: (bounds) => trimLists(parts, listing, bounds),
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
    insteadOf: (now) => encodeText(emptyText(now)),
  },
  [RECORD.audience]: json(FORGOTTEN),
  [RECORD.where]: json({}),
  [RECORD.resolvedAudience]: json(FORGOTTEN),
};
