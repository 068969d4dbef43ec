import { setImmediate as nextRound } from 'node:timers/promises';

/** How long a process may compute on what came together before the rest of it waits for the next round. */
const ROUND_MS = 4;

/**
 * Spreads work over rounds of the event loop. Each of forty large bodies that arrive together is parsed in no time; all of
 * them at once keep everybody else waiting.
 */
export class Rounds {
  private spentMs = 0;

  /** Runs work at once while there is room in this round, else in one of the next; in the order of asking. */
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
