import { defineScript, runScript, type RedisClient } from '../redis';

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
  /** Whatever stood there. */
  put(channel: string, name: string, value: T): Promise<void>;
  /** How many of these fields there were. */
  remove(channel: string, names: readonly string[]): Promise<number>;
}

/** KEYS hash; ARGV field, present text, next text; '' is none. */
const replaceScript = defineScript(`
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
return 1`);

export function openSharedFields<T extends object>(
  redis: RedisClient,
  keyOf: (channel: string) => string,
): SharedFields<T> {
  const textOf = (value: T | undefined): string => (value ? JSON.stringify(value) : '');
  return {
    async list(channel) {
      const fields = await redis.hgetall(keyOf(channel));
      return Object.entries(fields).map(([name, text]) => [name, JSON.parse(text) as T]);
    },
    async read(channel, name) {
      const text = await redis.hget(keyOf(channel), name);
      return text === null ? undefined : (JSON.parse(text) as T);
    },
    async replace(channel, name, { from, to }) {
      const script = { keys: [keyOf(channel)], args: [name, textOf(from), textOf(to)] };
      return (await runScript(redis, replaceScript, script)) === 1;
    },
    put: async (channel, name, value) => void (await redis.hset(keyOf(channel), name, textOf(value))),
    remove: async (channel, names) => (names.length === 0 ? 0 : redis.hdel(keyOf(channel), ...names)),
  };
}
