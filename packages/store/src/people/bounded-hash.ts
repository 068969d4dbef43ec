import { replaceField } from '../kit/compare';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

const add = luaScript('people/add-bounded', {
  params: { hash: 'key', field: 'text', text: 'text', most: 'number' },
  answer: (raw: Added) => raw,
});

/** Few documents in one hash, by their names. */
export interface BoundedHash<T> {
  list(): Promise<readonly T[]>;
  get(name: string): Promise<T | undefined>;
  add(name: string, value: T): Promise<Added>;
  /** What it is after the change; undefined when there is none of the name. */
  update(name: string, change: (value: T) => T): Promise<T | undefined>;
  /** What was removed. */
  remove(name: string): Promise<T | undefined>;
}

export type Added = 'added' | 'exists' | 'full';

interface Place<T> {
  readonly redis: RedisClient;
  readonly key: string;
  readonly max: number;
  readonly parse: (value: unknown) => T;
}

export function openBoundedHash<T>({ redis, key, max, parse }: Place<T>): BoundedHash<T> {
  const decode = (text: string): T => parse(JSON.parse(text));
  return {
    list: async () => Object.values(await redis.hgetall(key)).map(decode),
    async get(name) {
      const text = await redis.hget(key, name);
      return text === null ? undefined : decode(text);
    },
    add: (name, value) => add(redis, { hash: key, field: name, text: JSON.stringify(value), most: max }),
    async update(name, change) {
      for (;;) {
        const text = await redis.hget(key, name);
        if (text === null) return undefined;
        const next = change(decode(text));
        if (await replaceField(redis, { hash: key, field: name, from: text, to: JSON.stringify(next) })) return next;
      }
    },
    async remove(name) {
      const text = await redis.hget(key, name);
      if (text === null || (await redis.hdel(key, name)) === 0) return undefined;
      return decode(text);
    },
  };
}
