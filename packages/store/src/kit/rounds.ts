import { setImmediate as nextRound } from 'node:timers/promises';

/** How long one round of the event loop computes before further work waits for the next round. */
const ROUND_MS = 4;

/**
 * Spreads work over rounds of the event loop. One large body is parsed in a millisecond; forty that arrive together would
 * keep every other caller waiting.
 */
export class Rounds {
  private spentMs = 0;

  /** Runs work in this round while there is room, else in a later one. Work starts in the order of the calls. */
  async spend<T>(work: () => T): Promise<T> {
    while (this.spentMs >= ROUND_MS) await nextRound();
    const startedAt = performance.now();
    if (this.spentMs === 0) setImmediate(() => (this.spentMs = 0));
    try {
      return work();
    } finally {
      this.spentMs += Math.max(Number.MIN_VALUE, performance.now() - startedAt);
    }
  }
}
