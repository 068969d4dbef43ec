import type { RedisClient } from '../kit/redis';
import { intercepted } from './intercepted';

export interface Sleep {
  /** An argument of the first command that comes late. */
  readonly before: string;
  /** What happens meanwhile. */
  readonly meanwhile: () => Promise<void>;
}

/** The same connection, one command of it late, as that of a process that slept: something else happened before it. */
export function asleep(redis: RedisClient, { before, meanwhile }: Sleep): RedisClient {
  let isOver = false;
  return intercepted(redis, (command) => (...args) => {
    if (isOver || !args.includes(before)) return command(...args);
    isOver = true;
    return meanwhile().then(() => command(...args));
  });
}
