import { isStillAhead } from '@pushfleet/domain';

export interface WaitWish {
  /** The waiting job, which comes back once whatever it waits for. */
  readonly waiter: string;
  readonly leastMs: number;
  /** From one waiter to the next. */
  readonly stepMs: number;
}

const MANY = 1000;

/** Spreads jobs that wait for the same reason, so that they come back one after the other and not all at once. */
export class SpacedWaits {
  private lastAt = 0;
  private readonly dueAt = new Map<string, number>();
  /** So many that they are gone through for those that have come back: twice what was left the last time, or most of them still wait. */
  private sweepAt = MANY;

  constructor(private readonly mostMs: number) {}

  /** How long the job waits; the answer is the same until the job comes back. */
  next(now: number, { waiter, leastMs, stepMs }: WaitWish): number {
    const earliest = now + leastMs;
    const known = this.dueAt.get(waiter) ?? 0;
    const isWaiting = isStillAhead(known, now, Math.max(leastMs, this.mostMs));
    const at = isWaiting ? Math.max(known, earliest) : this.append(earliest, now + this.mostMs, stepMs);
    if (this.dueAt.size >= this.sweepAt) this.forgetPast(now);
    this.dueAt.set(waiter, at);
    return Math.ceil(at - now);
  }

  private append(earliest: number, latest: number, stepMs: number): number {
    this.lastAt = Math.min(Math.max(earliest, latest), Math.max(earliest, this.lastAt + stepMs));
    return this.lastAt;
  }

  private forgetPast(now: number): void {
    for (const [waiter, dueAt] of this.dueAt) if (dueAt <= now) this.dueAt.delete(waiter);
    this.sweepAt = Math.max(MANY, 2 * this.dueAt.size);
  }
}
