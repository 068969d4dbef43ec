import type { BudgetLeases, LeaseWish, PacedRate } from '@pushfleet/store';
import { LocalLease } from './local-lease';
import { SpacedWaits } from './spaced-waits';

export interface RateUse extends Pick<LeaseWish, 'rate' | 'perSecond' | 'queue'> {
  /** Units of the rate. */
  readonly cost: number;
  readonly waiter: string;
}

interface Entry {
  readonly perSecond: number;
  readonly lease: LocalLease;
  readonly waits: SpacedWaits;
  asking: Promise<void> | undefined;
}

/** Channels of one push take turns: one that comes back much later than it was told to has lost its turn. */
const PUSH_STEP_MS = 100;

/** The unused part of a rate is lost, so a process never waits long for the share of a process that may have died. */
const MOST_WAIT_MS = 2000;

/** The rates that this process kept recently. */
export class Rates {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly leases: BudgetLeases) {}

  /** 0 when the units may be used now, else how long to wait before asking again. */
  async take(use: RateUse): Promise<number> {
    const entry = this.entryOf(use);
    const { lease, waits } = entry;
    lease.expect(use.cost, performance.now());
    for (;;) {
      const now = performance.now();
      if (lease.take(use.cost, now)) return 0;
      const leastMs = lease.refusedMs(use.cost, now);
      if (leastMs > 0) return waits.next(now, { waiter: use.waiter, leastMs, stepMs: stepOf(use) });
      entry.asking ??= this.ask(entry, use).finally(() => (entry.asking = undefined));
      await entry.asking;
    }
  }

  refund(use: RateUse): void {
    this.entryOf(use).lease.refund(use.cost);
  }

  /** The greatest share of a rate that this process used over the last `ms`. Forgets idle rates. */
  takeFullest(ms: number): number {
    let fullest = 0;
    for (const [key, { lease, perSecond }] of this.entries) {
      fullest = Math.max(fullest, (lease.takeUsed() * 1000) / (perSecond * ms));
      if (lease.isIdle(performance.now())) this.entries.delete(key);
    }
    return fullest;
  }

  private async ask(entry: Entry, { rate, perSecond, queue, cost }: RateUse): Promise<void> {
    const { lease } = entry;
    const answer = await this.leases.take({ rate, perSecond, queue, want: lease.want(cost), least: cost });
    if ('granted' in answer) lease.granted(answer.granted, performance.now());
    else lease.refused(cost, answer.waitMs, performance.now());
  }

  private entryOf({ rate, perSecond, queue }: RateUse): Entry {
    const key = `${queue} ${perSecond} ${nameOf(rate)}`;
    const known = this.entries.get(key);
    if (known) return known;
    const entry = { perSecond, lease: new LocalLease(), waits: new SpacedWaits(MOST_WAIT_MS), asking: undefined };
    this.entries.set(key, entry);
    return entry;
  }
}

function stepOf({ rate, cost, perSecond }: RateUse): number {
  const earnedMs = (cost * 1000) / perSecond;
  return rate.kind === 'push' ? Math.min(PUSH_STEP_MS, earnedMs) : earnedMs;
}

const nameOf = (rate: PacedRate): string =>
  rate.kind === 'push' ? rate.pushId : `${rate.kind} ${rate.channel}/${rate.app}/${rate.profile}`;
