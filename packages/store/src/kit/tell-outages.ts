import { isRedisAway } from './redis-away';

export interface OutageLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Every connection of a process tells each of its tries, of which the log counts those that say the same; and when Redis is back. */
export function tellOutages(log: OutageLog) {
  let isAway = false;
  return {
    onError(err: Error): void {
      isAway ||= isRedisAway(err);
      log.warn({ err }, 'redis');
    },
    /** Of the connection that everything else of the process is made from. */
    onReady(at: string): void {
      if (!isAway) return;
      isAway = false;
      log.info({ at }, 'Redis answers again');
    },
  };
}
