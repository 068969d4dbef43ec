import { randomBytes } from 'node:crypto';
import { decodeFrame, type OutcomeFrame } from './outcome-frames';
import type { PushParts } from './push-parts';

/**
 * Frames beside a record are a hash: under the numbers from 0 either a frame, or the name of the field that holds it. Large
 * ones come under a name, ahead of the fold that tells of them, because Lua would hash every byte of an argument.
 */
export interface KeptFrames {
  /** Sends a frame ahead of a fold that is asked for in the same turn, and answers its name. */
  put(pushId: string, frame: string | Buffer): string;
  /** Fewer than `count` when there are no more. */
  read(pushId: string, from: number, count: number): Promise<readonly OutcomeFrame[]>;
}

/** No frame begins like this, and no two have one name. */
const NAME = 'f';

export function openKeptFrames({ redis, keys }: Pick<PushParts, 'redis' | 'keys'>): KeptFrames {
  const process = NAME + randomBytes(6).toString('base64url');
  let count = 0;
  return {
    put(pushId, frame) {
      const name = `${process}.${(count += 1).toString(36)}`;
      // A frame that Redis did not take, because it is full or away, is missed by the fold.
      redis.hset(keys.frames(pushId), name, frame).catch(() => undefined);
      return name;
    },
    async read(pushId, from, wanted) {
      const key = keys.frames(pushId);
      const numbers = Array.from({ length: wanted }, (_, i) => String(from + i));
      const found = present(await redis.hmgetBuffer(key, ...numbers));
      const names = found.filter(isName);
      const named = names.length === 0 ? [] : await redis.hmgetBuffer(key, ...names);
      // All of them may be dropped meanwhile.
      return present(found.map((one) => (isName(one) ? named[names.indexOf(one)] : one))).map(decodeFrame);
    },
  };
}

const isName = (value: Buffer): boolean => value[0] === NAME.charCodeAt(0);

/** Those before the first that is not there. */
function present(values: readonly (Buffer | null | undefined)[]): readonly Buffer[] {
  const end = values.findIndex((value) => !value);
  return (end < 0 ? values : values.slice(0, end)) as readonly Buffer[];
}
