import { setTimeout as delay } from 'node:timers/promises';
import type { RedisClient } from './redis';
import { redisSettings } from './redis-settings';
import { RedisFull } from './redis-away';

/**
 * As Redis fills, the outcomes of devices are no longer kept, and pushes of an app that has too many open ones are refused, then
 * reports of vendors, then imports and mailboxes, then all pushes and saves, then look-ups of users, which leave a few bytes each.
 * What is left of the memory is for draining.
 */
export type MemoryUse = 'outcomes' | 'openPushes' | 'receipts' | 'bulk' | 'request' | 'lookUp';

/** Shares of `maxmemory`. */
export const MEMORY_LIMITS: Readonly<Record<MemoryUse, number>> = {
  outcomes: 0.7,
  openPushes: 0.7,
  receipts: 0.75,
  bulk: 0.8,
  request: 0.85,
  lookUp: 0.95,
};

export interface MemoryGuard {
  /** Throws `RedisFull` when the fullest master is beyond the limit of this use. */
  requireRoom(use: MemoryUse): Promise<void>;
  /** The same as a question about the latest reading; a first one has room. */
  hasRoom(use: MemoryUse): boolean;
  /** So many percent of the maxmemory of all masters together, in bytes; `Infinity` when one has none. */
  share(percent: number): Promise<number>;
}

const READ_EVERY_MS = 1000;
const PAUSE_MS = 2 * READ_EVERY_MS;
/** How long a reading after a pause is waited for: a Redis that is away is told by what comes after it. */
const MOST_WAIT_MS = 500;
const STALE_MS = 10_000;

/** Reads the memory of Redis when it is asked, at most once a second. Callers wait for the first reading, and after a pause. */
export function openMemoryGuard({ redis, now }: { redis: RedisClient; now: () => number }): MemoryGuard {
  let usedShare: number | undefined;
  let totalBytes = Infinity;
  /** When the last reading began or ended. */
  let readAt = -Infinity;
  /** Of the last reading that did not fail. */
  let knownAt = -Infinity;
  let reading: Promise<void> | undefined;
  let readingAfterPause: Promise<void> | undefined;

  /** What lies ahead was noted before the clock went back: nobody knows how long ago that was. */
  function since(at: number): number {
    const ms = now() - at;
    return ms < 0 ? Infinity : ms;
  }

  async function read(): Promise<void> {
    const askedAt = now();
    readAt = askedAt;
    const masters = await redisSettings(redis);
    totalBytes = sum(masters.map(({ maxBytes }) => maxBytes || Infinity));
    usedShare = Math.max(0, ...masters.map(({ usedBytes, maxBytes }) => (maxBytes === 0 ? 0 : usedBytes / maxBytes)));
    knownAt = askedAt;
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
      readAt = now();
    });
    return reading;
  }

  /** Not while a reading hangs or fails: it holds up only those who come together after the pause. */
  function isAfterPause(): boolean {
    return reading === undefined && since(readAt) >= PAUSE_MS;
  }

  async function know(): Promise<void> {
    // A Redis that does not say for long how full it is is not written to: not every write would be refused by itself.
    if (since(knownAt) >= STALE_MS) return refresh();
    if (isAfterPause())
      readingAfterPause = Promise.race([
        refresh().catch(() => undefined),
        delay(MOST_WAIT_MS, undefined, { ref: false }),
      ]).finally(() => (readingAfterPause = undefined));
    else if (since(readAt) >= READ_EVERY_MS) refresh().catch(() => undefined);
    await readingAfterPause;
  }

  const isBelow = (use: MemoryUse): boolean => usedShare === undefined || usedShare < MEMORY_LIMITS[use];

  return {
    async share(percent) {
      await know();
      return Math.floor((totalBytes * percent) / 100);
    },
    hasRoom(use) {
      if (since(readAt) >= READ_EVERY_MS) refresh().catch(() => undefined);
      return isBelow(use);
    },
    async requireRoom(use) {
      await know();
      if (usedShare !== undefined && !isBelow(use)) throw new RedisFull(usedShare);
    },
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
