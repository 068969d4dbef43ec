import { LIMITS } from '@pushfleet/domain';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';
import { shardOfPush, type PushKeys } from './keys';
import { NAMES } from './record-fields';
import {
  type Bounds,
  type Listing,
  TRIM_CONSTANTS,
  TRIM_PARAMS,
  type TrimPorts,
  trimLists,
  trimmed,
} from './trim-lists';

/** What pushes say on the own channel. */
export interface OwnTexts {
  /** Removes texts until the others fit; they have lapsed for the devices that waited. Resolves with the number of removed ones. */
  trim(bounds: Bounds): Promise<number>;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: PushKeys;
}

interface OwnText {
  readonly pushId: string;
  readonly app: string;
  /** The text of a JSON object. */
  readonly text: string;
}

/** Of a key with its time, and of its entry in the list: measured. */
const OVERHEAD_BYTES = 300;

const trimTexts = luaScript('pushes/trim-texts', {
  params: { ...TRIM_PARAMS, totals: 'key' },
  constants: TRIM_CONSTANTS,
  answer: trimmed,
});

/** Keeps what a push says until it expires, once. Where the process is killed before it is listed, nobody counts it. */
export async function keepText({ redis, keys }: Parts, { pushId, app, text }: OwnText, lifeMs: number): Promise<void> {
  const isNew = await redis.set(keys.ownMessage(pushId), text, 'PX', lifeMs, 'NX');
  if (isNew === null) return;
  const bytes = Buffer.byteLength(text) + OVERHEAD_BYTES;
  await redis.rpush(keys.ownTexts(shardOfPush(pushId)), `${pushId}${bytes} ${app}`);
}

/** Of an entry of the list. */
export const appOfText = (entry: string): string => entry.slice(entry.indexOf(' ') + 1);

export function openOwnTexts(parts: Parts & TrimPorts): OwnTexts {
  const { redis, keys } = parts;
  const listing: Listing = {
    share: LIMITS.ownTextsShare.value,
    of: (shard) => ({ list: keys.ownTexts(shard), prefix: keys.pushPrefix(shard), suffix: NAMES.OWN.text }),
    trim: (shard, wish) => trimTexts(redis, { ...wish, totals: keys.totals(shard) }),
  };
  return { trim: (bounds) => trimLists(parts, listing, bounds) };
}
