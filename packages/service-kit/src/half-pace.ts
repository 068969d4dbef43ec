import { setTimeout as delay } from 'node:timers/promises';

interface Clock {
  readonly now: () => number;
  readonly rest: (ms: number) => Promise<unknown>;
}

/** However long a portion took on a busy machine. */
const LONGEST_REST_MS = 20;

/**
 * Work for which nobody waits by the millisecond, in portions: before each it rests as long as the one before took, so that others
 * have half of the process, and of the Redis that it asks, at least.
 */
export class HalfPace {
  private restMs = 0;

  constructor(private readonly clock: Clock = { now: () => performance.now(), rest: delay }) {}

  async portion<T>(work: () => Promise<T>): Promise<T> {
    const { now, rest } = this.clock;
    if (this.restMs > 0) await rest(this.restMs);
    const startedAt = now();
    try {
      return await work();
    } finally {
      this.restMs = Math.min(LONGEST_REST_MS, now() - startedAt);
    }
  }
}
