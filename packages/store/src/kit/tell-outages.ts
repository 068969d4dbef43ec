import { BoundedMap } from '@pushfleet/domain';
import { isRedisAway } from './redis-away';

export interface OutageLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const TELL_EVERY_MS = 60_000;

/** Longer than between two tries of a connection: what fails after such a silence belongs to another outage. */
const SILENT_MS = 10_000;

const MAX_KINDS = 64;

interface Kind {
  readonly toldAt: number;
  readonly failedAt: number;
  /** Since it was told. */
  readonly more: number;
}

/**
 * A process has dozens of connections, and each tries again every second while Redis is away. The log has the first failure of
 * each kind and one in a minute, with how many there were, and says when Redis is back; it would be these lines alone.
 */
export function tellOutages(log: OutageLog, now: () => number = () => performance.now()) {
  const kinds = new BoundedMap<string, Kind>(MAX_KINDS);
  let isAway = false;
  return {
    onError(err: Error): void {
      if (!isRedisAway(err)) return log.warn({ err }, 'redis');
      isAway = true;
      const kind = kindOf(err);
      const at = now();
      const last = kinds.get(kind);
      if (last && at - last.failedAt < SILENT_MS && at - last.toldAt < TELL_EVERY_MS)
        return void kinds.set(kind, { ...last, failedAt: at, more: last.more + 1 });
      kinds.set(kind, { toldAt: at, failedAt: at, more: 0 });
      log.warn({ err, ...(last && last.more > 0 ? { more: last.more } : {}) }, 'redis');
    },
    /** Of the connection that everything else of the process is made from. */
    onReady(at: string): void {
      if (!isAway) return;
      isAway = false;
      log.info({ at }, 'Redis answers again');
    },
  };
}

/** Which way to fail, and where: what comes later in a message, such as the name of a script, differs each time. */
const kindOf = ({ message }: Error): string => message.split(' ', 3).join(' ');
