import type { RedisClient } from '../kit/redis';

export type Command = (...args: unknown[]) => unknown;

/** The same connection, each command of it as `around` makes it. */
export function intercepted(redis: RedisClient, around: (command: Command, name: string) => Command): RedisClient {
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return around(value.bind(target) as Command, String(name));
    },
  });
}
