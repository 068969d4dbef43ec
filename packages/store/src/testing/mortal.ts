import type { RedisClient } from '../kit/redis';
import { intercepted } from './intercepted';

/** The same connection until it has carried so many commands: then every other one fails, as those of a killed process. */
export function mortal(redis: RedisClient, commands: number): RedisClient {
  let left = commands;
  return intercepted(redis, (command, name) => {
    // No command: it answers at once with the nodes of a cluster.
    if (name === 'nodes') return command;
    return (...args) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : command(...args);
    };
  });
}
