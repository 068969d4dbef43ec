import { randomBytes } from 'node:crypto';
import { ALL_SHARDS } from '../kit/shards';

const ALPHABET = '0123456789abcdefghijklmnopqrstuv';
const RANDOM_CHARACTERS = 14;
/** Of a push id, which leads every entry of the list of closed pushes. */
export const ID_BYTES = RANDOM_CHARACTERS + 2;
/** As long as that of a push, so that a message that carries it is as long. */
export const NO_PUSH_ID = '0'.repeat(ID_BYTES);
const POOL_BYTES = RANDOM_CHARACTERS * 256;

const SHARD_TEXTS = ALL_SHARDS.map((shard) => shard.toString(16).padStart(2, '0'));

/** For patterns with a push id in them. */
export const PUSH_ID = '[0-9a-v]{14}[0-9a-f]{2}';
const WHOLE = new RegExp(`^${PUSH_ID}$`);

export const isPushId = (text: string): boolean => WHOLE.test(text);

/** Makes push ids: fourteen random characters and two that tell the push shard. */
export function openPushIds(): (shard: number) => string {
  // Asking the system for a few bytes costs as much as asking for thousands.
  let pool = Buffer.alloc(0);
  let next = 0;
  return (shard) => {
    if (next === pool.length) {
      pool = randomBytes(POOL_BYTES);
      next = 0;
    }
    const end = next + RANDOM_CHARACTERS;
    let id = '';
    for (; next < end; next += 1) id += ALPHABET[(pool[next] ?? 0) & 31];
    return id + (SHARD_TEXTS[shard] ?? '');
  };
}
