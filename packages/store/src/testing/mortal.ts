import type { RedisClient } from '../kit/redis';

/** The same connection until it has carried so many commands: then every other one fails, as those of a killed process. */
export function mortal(redis: RedisClient, commands: number): RedisClient {
  let left = commands;
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const command = value.bind(target) as (...args: unknown[]) => unknown;
      // No command: it answers at once with the nodes of a cluster.
      if (name === 'nodes') return command;
      return (...args: unknown[]) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('killed')) : command(...args);
      };
    },
  });
}
