import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RedisClient } from '../kit/redis';
import { intercepted } from './intercepted';

const COMMANDS = new Set(['hget', 'hset', 'hsetnx', 'evalsha', 'zrangebylex', 'sadd', 'hmget']);

/** The same connection, every command of it late by some turns: one process interleaves like several machines. */
export const jittered = (redis: RedisClient, turns: () => number): RedisClient =>
  intercepted(redis, (command, name) =>
    COMMANDS.has(name)
      ? async (...args) => {
          for (let left = turns(); left > 0; left -= 1) await nextTurn();
          return command(...args);
        }
      : command,
  );
