import type { Audience } from '@pushfleet/domain';
import { SHARDS } from '../keys';
import { runScript } from '../redis';
import { openBookKeeping, type BookKeepingParts } from './book-keeping';
import { decodeText, encodeText } from './push-text';
import { RESOLVED_AUDIENCE } from './resolved-audience';
import { giveUpScript, trimScript } from './scripts';

export interface ClosedPushes {
  /**
   * Takes the oldest closed records of a push shard away until they fit into the shard's share of `maxBytes`; they go by
   * themselves when they are old. Resolves with the records removed, `most` of them at most.
   */
  trim(shard: number, bounds: { readonly maxBytes: number; readonly most: number }): Promise<number>;
  /** Closes a push that cannot be read, as an error; what it left outstanding has failed. False when it was closed. */
  giveUp(pushId: string, now: number): Promise<boolean>;
}

export function openClosedPushes(parts: BookKeepingParts): ClosedPushes {
  const { redis, keys } = parts;
  const giveUp = openBookKeeping(parts, giveUpScript);
  return {
    async trim(shard, { maxBytes, most }) {
      const args = [keys.pushPrefix(shard), Math.floor(maxBytes / SHARDS), most];
      return Number(await runScript(redis, trimScript, { keys: [keys.closedPushes(shard)], args }));
    },
    async giveUp(pushId, now) {
      const names = Object.keys(FIELDS);
      const values = await redis.hmget(keys.pushRecord(pushId), ...names);
      const repaired = names.flatMap((name, i) => {
        const field = FIELDS[name];
        return !field || field.isReadable(values[i] ?? null) ? [] : [name, field.insteadOf(now)];
      });
      return (await giveUp({ pushId, now, wants: [repaired.length, ...repaired] })) === 1;
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
  push: {
    isReadable: (value) => passes(() => decodeText(value ?? '')),
    insteadOf: (now) => {
      const times = { createdAt: now, pushTime: now, expiresAt: now };
      return encodeText({ content: { data: {}, sections: {} }, prod: 'prod', ...times });
    },
  },
  audience: json(FORGOTTEN),
  where: json({}),
  [RESOLVED_AUDIENCE]: json(FORGOTTEN),
};
