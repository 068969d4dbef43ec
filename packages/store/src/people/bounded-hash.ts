import { plainJsonIn } from '@pushfleet/domain';
import type { z } from 'zod';
import { replaceField } from '../kit/compare';
import { damagedRecord, readableOf, type Readable } from '../kit/damaged-record';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

const add = luaScript('people/add-bounded', {
  params: { hash: 'key', field: 'text', text: 'text', most: 'number' },
  answer: (raw: Added) => raw,
});

/** Few documents in one hash, by their names. */
export interface BoundedHash<T> {
  list(): Promise<Readable<T>>;
  get(name: string): Promise<T | undefined>;
  add(name: string, value: T): Promise<Added>;
  /** What it is after the change; undefined when there is none of the name. */
  update(name: string, change: (value: T) => T): Promise<T | undefined>;
  /** What was removed. */
  remove(name: string): Promise<T | 'damaged' | undefined>;
}

export type Added = 'added' | 'exists' | 'full';

interface Place<T> {
  readonly redis: RedisClient;
  readonly key: string;
  readonly max: number;
  readonly schema: z.ZodType<T>;
  /** What one of them is called. */
  readonly kind: string;
}

export function openBoundedHash<T extends object>({ redis, key, max, schema, kind }: Place<T>): BoundedHash<T> {
  const readable = (text: string): T | undefined => schema.safeParse(plainJsonIn(text)).data;
  function decode(name: string, text: string): T {
    const value = readable(text);
    if (value) return value;
    throw damagedRecord(`the ${kind} ${JSON.stringify(name)}`);
  }
  return {
    list: async () => readableOf(Object.entries(await redis.hgetall(key)), readable),
    async get(name) {
      const text = await redis.hget(key, name);
      return text === null ? undefined : decode(name, text);
    },
    add: (name, value) => add(redis, { hash: key, field: name, text: JSON.stringify(value), most: max }),
    async update(name, change) {
      for (;;) {
        const text = await redis.hget(key, name);
        if (text === null) return undefined;
        const next = change(decode(name, text));
        if (await replaceField(redis, { hash: key, field: name, from: text, to: JSON.stringify(next) })) return next;
      }
    },
    async remove(name) {
      const text = await redis.hget(key, name);
      if (text === null || (await redis.hdel(key, name)) === 0) return undefined;
      return readable(text) ?? 'damaged';
    },
  };
}
