/** How long one round of the event loop computes before further work waits for the next round. */
const ROUND_MS = 4;

/**
 * Spreads work over rounds of the event loop. One large body is parsed in a millisecond; forty that arrive together would
 * keep every other caller waiting.
 */
export class Rounds {
  private spentMs = 0;
  /** Those whose work has not begun, in the order of the calls. */
  private readonly waiting: (() => void)[] = [];

  /**
   * Runs work in this round while there is room, else in a later one. Work starts in the order of the calls: whoever has more of it
   * and asks again at once comes behind those that wait.
   */
  async spend<T>(work: () => T): Promise<T> {
    if (this.waiting.length > 0 || this.spentMs >= ROUND_MS)
      await new Promise<void>((resolve) => void this.waiting.push(resolve));
    const startedAt = performance.now();
    if (this.spentMs === 0) setImmediate(() => this.beginRound());
    try {
      return work();
    } finally {
      this.spentMs += Math.max(Number.MIN_VALUE, performance.now() - startedAt);
      this.callNext();
    }
  }

  private beginRound(): void {
    this.spentMs = 0;
    this.callNext();
  }

  private callNext(): void {
    if (this.spentMs < ROUND_MS) this.waiting.shift()?.();
  }
}
