import type { Budget, Reason } from '@pushfleet/domain';
import { isUnreadableSecret, type PacingStore, type ProfileOfChannel, type PushToSend } from '@pushfleet/store';
import type { BatchResult } from '../send-batch';
import type { Sessions } from '../sessions';
import type { Breakers } from './breakers';
import { callResult } from './call-result';
import type { Holds } from './holds';
import type { CallsInFlight } from './in-flight';
import { devicesPerSecond, ratesOf, type PageToSend } from './limits';
import type { Rates, RateUse } from './rates';
import type { Throttles } from './throttles';
import { profileKey } from './profile-key';

/** Whether and when a page may be sent. */
export type Admission =
  /** Whoever was let through tells how it ended; `end` never rejects. */
  | { readonly kind: 'send'; end(result: BatchResult): Promise<void> }
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** Nobody shall be called. */
  | { readonly kind: 'book'; readonly reason: Reason };

export interface PageToAdmit extends Omit<PageToSend, 'push' | 'channel'> {
  readonly push: PushToSend;
}

/** Says before each page whether its channel, profile and push may send it now. */
export interface Pace {
  admit(page: PageToAdmit): Promise<Admission>;
  /** Whether a page would have to wait whatever is in it, before that is read. */
  heldMs(page: Omit<PageToAdmit, 'devices'>): number | undefined;
  /** How the devices of a profile are booked whose push expired: why they could not be sent, as far as anybody knows. */
  expiredAs(of: ProfileOfChannel, known: Reason | undefined): Reason | undefined;
  /** What waits for a profile is booked at once. */
  isDraining(of: ProfileOfChannel): boolean;
}

export interface PacePorts {
  readonly store: PacingStore;
  readonly channel: string;
  readonly sessions: Sessions;
  readonly now: () => number;
  readonly holds: Holds;
  readonly breakers: Breakers;
  readonly rates: Rates;
  readonly calls: CallsInFlight;
  readonly throttles: Throttles;
  onBudgetWait(): void;
  /** A page is left to wait, because this process cannot open the credentials of its profile. */
  onUnreadable(error: unknown, of: ProfileOfChannel): void;
  /** The breaker could not be told of a call. */
  onError(error: unknown): void;
}

const AS_IT_IS: Admission = { kind: 'send', end: () => Promise.resolve() };
const NO_BUDGET: Budget = {};
/** Another process may have the right key, and this one gets it with its next start. */
const UNREADABLE_WAIT_MS = 5000;

interface Ended {
  readonly of: ProfileOfChannel;
  /** Names the call that tries whether the vendor is back. */
  readonly prober: string | undefined;
  readonly isCapped: boolean;
}

export class PageGate implements Pace {
  private estimates = { since: 0, noted: new Set<string>() };

  constructor(private readonly ports: PacePorts) {}

  async admit(page: PageToAdmit): Promise<Admission> {
    const { push, profile } = page;
    const leftMs = push.expiresAt - this.ports.now();
    if (push.isCancelled || leftMs <= 0) return AS_IT_IS;
    const admission = this.ports.holds.of({ app: push.app, profile }, page) ?? (await this.withinLimits(page));
    return admission.kind === 'wait' ? { kind: 'wait', waitMs: Math.min(admission.waitMs, leftMs) } : admission;
  }

  heldMs({ push, profile, ...page }: Omit<PageToAdmit, 'devices'>): number | undefined {
    const leftMs = push.expiresAt - this.ports.now();
    if (push.isCancelled || leftMs <= 0) return undefined;
    const hold = this.ports.holds.of({ app: push.app, profile }, page);
    return hold?.kind === 'wait' ? Math.min(hold.waitMs, leftMs) : undefined;
  }

  expiredAs(of: ProfileOfChannel, known: Reason | undefined): Reason | undefined {
    return known === undefined || known === 'expired' ? (this.ports.holds.faultOf(of) ?? known) : known;
  }

  private async withinLimits(page: PageToAdmit): Promise<Admission> {
    const { push, profile } = page;
    const of = { app: push.app, profile };
    const budget = await this.budgetOf(of);
    if (budget === 'unreadable') return { kind: 'wait', waitMs: UNREADABLE_WAIT_MS };
    const { callsInFlight } = budget;
    const isCapped = callsInFlight !== undefined;
    if (isCapped && !this.ports.calls.begin(profileKey(of), callsInFlight))
      return this.ports.holds.forCalls(of, page.waiter);
    const admission = await this.withinRates(page, budget, isCapped);
    if (isCapped && admission.kind !== 'send') this.ports.calls.end(profileKey(of));
    return admission;
  }

  isDraining(of: ProfileOfChannel): boolean {
    return this.ports.holds.isDraining(of);
  }

  /** What is wrong with a profile that can be read is booked where it is needed. */
  private async budgetOf(of: ProfileOfChannel): Promise<Budget | 'unreadable'> {
    try {
      return (await this.ports.sessions.get(of.app, of.profile))?.budget ?? NO_BUDGET;
    } catch (error) {
      if (!isUnreadableSecret(error)) return NO_BUDGET;
      this.ports.onUnreadable(error, of);
      return 'unreadable';
    }
  }

  private async withinRates(page: PageToAdmit, budget: Budget, isCapped: boolean): Promise<Admission> {
    const { push, profile } = page;
    const toSend = { ...page, channel: this.ports.channel };
    const uses = ratesOf(toSend, budget);
    const refused = uses.length === 0 ? undefined : await this.takeAll(uses);
    if (refused) return this.overBudget(toSend, { uses, ...refused });
    const letThrough = await this.letThrough({ of: { app: push.app, profile }, isCapped }, page);
    if (letThrough.kind !== 'send') for (const use of uses) this.ports.rates.refund(use);
    return letThrough;
  }

  private async takeAll(uses: readonly RateUse[]): Promise<{ use: RateUse; waitMs: number } | undefined> {
    for (const [i, use] of uses.entries()) {
      const waitMs = await this.ports.rates.take(use);
      if (waitMs === 0) continue;
      for (const taken of uses.slice(0, i)) this.ports.rates.refund(taken);
      return { use, waitMs };
    }
    return undefined;
  }

  private async overBudget(
    page: PageToSend,
    { uses, use, waitMs }: { uses: readonly RateUse[]; use: RateUse; waitMs: number },
  ): Promise<Admission> {
    const { pushId, overBudget } = page.push;
    if (overBudget === 'discard' && use.rate.kind !== 'push') return { kind: 'book', reason: 'quota-exceeded' };
    this.ports.onBudgetWait();
    if (this.isFirstOfSecond(pushId)) {
      const { store, channel, now } = this.ports;
      await store.estimates.note({ pushId, channel, devicesPerSecond: devicesPerSecond(page, uses), now: now() });
    }
    return { kind: 'wait', waitMs };
  }

  private isFirstOfSecond(pushId: string): boolean {
    const now = this.ports.now();
    if (now - this.estimates.since >= 1000) this.estimates = { since: now, noted: new Set() };
    const { noted } = this.estimates;
    return noted.size !== noted.add(pushId).size;
  }

  private async letThrough(
    { of, isCapped }: Omit<Ended, 'prober'>,
    page: Pick<PageToAdmit, 'waiter' | 'queue'>,
  ): Promise<Admission> {
    const { breakers, holds } = this.ports;
    const held = holds.beginTrial(of, page);
    if (held) return held;
    const isOpen = holds.isInterrupted(of);
    const prober = isOpen ? await breakers.claim(of) : undefined;
    if (isOpen && prober === undefined) return holds.forProbe(of, page.waiter);
    return { kind: 'send', end: (result) => this.end(result, { of, prober, isCapped }) };
  }

  private async end(result: BatchResult, { of, prober, isCapped }: Ended): Promise<void> {
    const { breakers, calls, throttles, onError } = this.ports;
    if (isCapped) calls.end(profileKey(of));
    throttles.ended(of, result);
    try {
      await breakers.ended(of, callResult(result), prober);
    } catch (error) {
      onError(error);
    }
  }
}
