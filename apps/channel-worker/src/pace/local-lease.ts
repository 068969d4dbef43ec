import { LEASE_MS } from '@pushfleet/store';

/** This process's share of a rate: what it took from the common store, and when to take more. */
export class LocalLease {
  private left = 0;
  private until = 0;
  private refusedCost = 0;
  private refusedUntil = 0;
  private period = { since: 0, demand: 0, demandBefore: 0 };
  private used = 0;

  /** False when the rest of the lease is not enough or too old. */
  take(cost: number, now: number): boolean {
    if (now >= this.until || this.left < cost) return false;
    this.left -= cost;
    this.used += cost;
    return true;
  }

  /** Gives back units that were taken and not used. */
  refund(cost: number): void {
    this.left += cost;
    this.used -= cost;
  }

  /** How long the store is known to refuse; 0 when it is worth asking. */
  refusedMs(cost: number, now: number): number {
    return cost < this.refusedCost ? 0 : Math.max(0, this.refusedUntil - now);
  }

  /** Counts the units that are asked of this process. */
  expect(cost: number, now: number): void {
    const { since, demand } = this.period;
    if (now - since < LEASE_MS) this.period.demand += cost;
    else this.period = { since: now, demand: cost, demandBefore: now - since < 2 * LEASE_MS ? demand : 0 };
  }

  /** The units to ask the store for: about as many as the last period needed, so that idle processes hold none back. */
  want(cost: number): number {
    return Math.ceil(Math.max(cost, this.period.demand, this.period.demandBefore));
  }

  granted(units: number, now: number): void {
    this.left = units + (now < this.until ? this.left : 0);
    this.until = now + LEASE_MS;
    this.refusedUntil = 0;
  }

  refused(cost: number, waitMs: number, now: number): void {
    this.refusedCost = cost;
    this.refusedUntil = now + waitMs;
  }

  /** Units used since the last time it was asked. */
  takeUsed(): number {
    const { used } = this;
    this.used = 0;
    return used;
  }

  isIdle(now: number): boolean {
    return now - this.period.since > IDLE_MS && now > this.refusedUntil;
  }
}

const IDLE_MS = 10_000;
