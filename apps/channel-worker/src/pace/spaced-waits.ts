export interface WaitWish {
  /** The job that waits: whatever it waits with, it comes back once. */
  readonly waiter: string;
  readonly leastMs: number;
  /** From one waiter to the next. */
  readonly stepMs: number;
}

const MANY = 1000;

/** Spreads those who must wait for the same thing, so that they come back one after the other and not all at once. */
export class SpacedWaits {
  private lastAt = 0;
  private readonly dueAt = new Map<string, number>();

  constructor(private readonly mostMs: number) {}

  /** How long the waiter waits; the same until it comes back. */
  next(now: number, { waiter, leastMs, stepMs }: WaitWish): number {
    const earliest = now + leastMs;
    const known = this.dueAt.get(waiter) ?? 0;
    const at = known > now ? Math.max(known, earliest) : this.append(earliest, now + this.mostMs, stepMs);
    if (this.dueAt.size >= MANY) this.forgetPast(now);
    this.dueAt.set(waiter, at);
    return Math.ceil(at - now);
  }

  private append(earliest: number, latest: number, stepMs: number): number {
    this.lastAt = Math.min(Math.max(earliest, latest), Math.max(earliest, this.lastAt + stepMs));
    return this.lastAt;
  }

  private forgetPast(now: number): void {
    for (const [waiter, dueAt] of this.dueAt) if (dueAt <= now) this.dueAt.delete(waiter);
  }
}
