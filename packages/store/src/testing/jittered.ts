import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RedisClient } from '../kit/redis';

const COMMANDS = new Set(['hget', 'hset', 'hsetnx', 'evalsha', 'zrangebylex', 'sadd', 'hmget']);

/** The same connection, every command of it late by some turns: one process interleaves like several machines. */
export function jittered(redis: RedisClient, turns: () => number): RedisClient {
  const late = (name: string, command: (...args: unknown[]) => unknown) =>
    COMMANDS.has(name)
      ? async (...args: unknown[]) => {
          for (let left = turns(); left > 0; left -= 1) await nextTurn();
          return command(...args);
        }
      : command;
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return late(String(name), value.bind(target) as (...args: unknown[]) => unknown);
    },
  });
}
