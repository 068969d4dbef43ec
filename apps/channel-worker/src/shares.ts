/** A bounded number of things at once, which profiles divide. */
export interface Shares {
  /**
   * Resolves with false when other work of this profile holds the whole share and none of it has ended for a while, or after
   * `mostMs` milliseconds, though it ends.
   */
  take(profile: string, mostMs?: number): Promise<boolean>;
  /** False when no place is free for the profile at the moment. */
  tryTake(profile: string): boolean;
  free(profile: string): void;
}

/** Bounds the share of a profile further. */
export interface ShareBound {
  of(profile: string): number;
  /** More was wanted than the bound allows. */
  refused(profile: string): void;
}

/** When no work of a profile ended for so long, work that waits for the profile is sent away. */
const STUCK_MS = 1000;

/** How long work that was sent away waits before it comes back. */
export const stuckMs = (random: () => number = Math.random): number => Math.round(STUCK_MS * (0.5 + random()));

/**
 * A single profile may have `perProfile`; the process has twice as many places. A profile takes a place only while it holds fewer
 * than are free. So a single profile gets all of its own, several share the whole, and however many profiles are stuck, a place
 * is left for the next one.
 */
export function openShares(perProfile: number, bound?: ShareBound): Shares {
  return new ProfileShares(2 * perProfile, bound);
}

class ProfileShares implements Shares {
  private readonly held = new Map<string, number>();
  private readonly freedAt = new Map<string, number>();
  private readonly waiting = new Map<string, Set<() => void>>();

  constructor(
    private left: number,
    private readonly bound: ShareBound | undefined,
  ) {}

  tryTake(profile: string): boolean {
    const held = this.held.get(profile) ?? 0;
    if (held >= this.left) return false;
    if (this.bound && held >= this.bound.of(profile)) {
      this.bound.refused(profile);
      return false;
    }
    this.held.set(profile, held + 1);
    this.left -= 1;
    return true;
  }

  async take(profile: string, mostMs = Infinity): Promise<boolean> {
    if (!this.waiting.has(profile) && this.tryTake(profile)) return true;
    const queue = this.waiting.get(profile) ?? new Set();
    this.waiting.set(profile, queue);
    return new Promise((resolve) => {
      const endsAt = performance.now() + mostMs;
      let timer: NodeJS.Timeout | undefined;
      const leave = (isTaken: boolean): void => {
        clearTimeout(timer);
        queue.delete(serve);
        if (queue.size === 0) this.waiting.delete(profile);
        resolve(isTaken);
      };
      const serve = (): void => leave(true);
      const look = (): void => {
        const now = performance.now();
        const leftMs = Math.min((this.freedAt.get(profile) ?? 0) + STUCK_MS, endsAt) - now;
        if (leftMs <= 0) leave(false);
        else timer = setTimeout(look, leftMs);
      };
      queue.add(serve);
      timer = setTimeout(look, Math.min(STUCK_MS, mostMs));
    });
  }

  free(profile: string): void {
    const held = (this.held.get(profile) ?? 0) - 1;
    this.left += 1;
    if (held > 0) this.held.set(profile, held);
    else this.held.delete(profile);
    this.freedAt.set(profile, performance.now());
    if (held <= 0 && !this.waiting.has(profile)) this.freedAt.delete(profile);
    for (const [waiter, queue] of this.waiting) this.serve(waiter, queue);
  }

  private serve(profile: string, queue: ReadonlySet<() => void>): void {
    for (const next of queue) {
      if (!this.tryTake(profile)) return;
      next();
    }
  }
}
