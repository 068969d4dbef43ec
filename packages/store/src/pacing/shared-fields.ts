import { replaceField } from '../kit/compare';
import { recordIn } from '../kit/damaged-record';
import type { RedisClient } from '../kit/redis';

export interface FieldChange<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/** Values in the fields of one hash for each channel: what its workers agree on. */
export interface SharedFields<T> {
  list(channel: string): Promise<readonly (readonly [name: string, value: T])[]>;
  read(channel: string, name: string): Promise<T | undefined>;
  /** Writes the next value, or removes it, unless the present one is not `from`. */
  replace(channel: string, name: string, change: FieldChange<T>): Promise<boolean>;
  /** Writes the value without regard to the present one. */
  put(channel: string, name: string, value: T): Promise<void>;
  /** Resolves with the number of fields that were removed. */
  remove(channel: string, names: readonly string[]): Promise<number>;
}

export function openSharedFields<T extends object>(
  redis: RedisClient,
  keyOf: (channel: string) => string,
): SharedFields<T> {
  const textOf = (value: T | undefined): string => (value ? JSON.stringify(value) : '');
  /**
   * One that is damaged is removed: the workers come to another one by themselves. So is one that says its value in other words
   * than `textOf`: whoever compares with those would try for ever.
   */
  async function valueIn(channel: string, name: string, text: string): Promise<T | undefined> {
    const value = recordIn(text) as unknown as T | undefined;
    if (value && textOf(value) === text) return value;
    await replaceField(redis, { hash: keyOf(channel), field: name, from: text, to: '' });
    return undefined;
  }
  return {
    async list(channel) {
      const fields = Object.entries(await redis.hgetall(keyOf(channel)));
      const known = await Promise.all(fields.map(([name, text]) => valueIn(channel, name, text)));
      return fields.flatMap(([name], i) => (known[i] ? [[name, known[i]] as const] : []));
    },
    async read(channel, name) {
      const text = await redis.hget(keyOf(channel), name);
      return text === null ? undefined : valueIn(channel, name, text);
    },
    replace: (channel, name, { from, to }) =>
      replaceField(redis, { hash: keyOf(channel), field: name, from: textOf(from), to: textOf(to) }),
    put: async (channel, name, value) => void (await redis.hset(keyOf(channel), name, textOf(value))),
    remove: async (channel, names) => (names.length === 0 ? 0 : redis.hdel(keyOf(channel), ...names)),
  };
}
