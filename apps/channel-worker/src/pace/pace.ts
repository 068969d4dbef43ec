import { pageDevicesFor, type Budget, type Reason } from '@pushfleet/domain';
import {
  profileKey,
  isUnreadableSecret,
  type PacingStore,
  type AppProfile,
  type PushOfProfile,
  type PushToSend,
} from '@pushfleet/store';
import type { BatchResult, Retry } from '../verdict';
import { UNREADABLE_WAIT_MS, type Sessions } from '../sessions';
import type { Breakers } from './breakers';
import { callResult } from './call-result';
import type { Holds } from './holds';
import type { CallsUnderWay } from './calls-under-way';
import type { CallsInFlight } from './in-flight';
import { devicesPerSecond, ratesOf, type PacedPage } from './page-rates';
import type { PushHolds } from './push-holds';
import type { Rates, RateUse } from './rates';
import type { Throttles } from './throttles';
import type { Admission, PageAhead, PageToAdmit } from './admission';

/** Says before each page whether its channel, profile and push may send it now. */
export interface Pace {
  admit(page: PageToAdmit): Promise<Admission>;
  /** Whether a page would have to wait in any case; asked before the page is read. */
  heldMs(page: PageAhead): number | undefined;
  /** How the devices of an expired push are booked: by the reason that kept them waiting, if it is known. */
  expiredAs(push: PushToSend, profile: string, known: Reason | undefined): Reason | undefined;
  /** Devices of a page: fewer than usual where the budget would need a while for a full page. */
  pageDevices(of: AppProfile): Promise<number>;
  /** Why no further call of a page may begin. */
  interruption(of: PushOfProfile, queue: PacedPage['queue']): Retry | undefined;
  /** Notes the begin of a vendor call; the returned function notes its end. */
  callBegins(of: PushOfProfile, devices: number): () => void;
  /** Work that waits for a profile is booked at once. */
  isDiscarding(of: AppProfile): boolean;
}

export interface PacePorts {
  readonly store: PacingStore;
  readonly channel: string;
  /** Devices in one call. */
  readonly maxBatch: number;
  readonly sessions: Sessions;
  readonly now: () => number;
  readonly holds: Holds;
  readonly breakers: Breakers;
  readonly pushHolds: PushHolds;
  readonly rates: Rates;
  readonly calls: CallsInFlight;
  readonly underWay: CallsUnderWay;
  readonly throttles: Throttles;
  onBudgetWait(): void;
  /** Called when a page waits because this process cannot open the credentials of its profile. */
  onUnreadable(error: unknown, of: AppProfile): void;
  /** Called when the end of a call could not be written to the breaker. */
  onError(error: unknown): void;
}

const nothing = (): Promise<void> => Promise.resolve();
const AS_IT_IS: Admission = {
  kind: 'send',
  width: 1,
  isProbe: false,
  isHeld: false,
  ended: (result) => Promise.resolve(result),
  end: nothing,
};
const NO_BUDGET: Budget = {};

interface PageShare {
  readonly page: PageToAdmit;
  readonly of: PushOfProfile;
  /** Of the calls that a cap allows; 0: there is no cap. */
  readonly granted: number;
  readonly calls: number;
}

/** The call that probes whether the vendor is back or gives known answers again; absent once it has ended. */
interface Probe {
  prober: string | undefined;
  pushProber: string | undefined;
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

  heldMs(page: PageAhead): number | undefined {
    const { push, profile } = page;
    const leftMs = push.expiresAt - this.ports.now();
    if (push.isCancelled || leftMs <= 0) return undefined;
    const hold = this.ports.holds.of({ app: push.app, profile }, page);
    return hold?.kind === 'wait' ? Math.min(hold.waitMs, leftMs) : undefined;
  }

  expiredAs({ app, pushId, expiresAt }: PushToSend, profile: string, known: Reason | undefined): Reason | undefined {
    if (known !== undefined && known !== 'expired') return known;
    return this.ports.holds.expiredAs({ app, pushId, profile }, expiresAt) ?? known;
  }

  async pageDevices(of: AppProfile): Promise<number> {
    const budget = await this.budgetOf(of);
    return pageDevicesFor(budget === 'unreadable' ? NO_BUDGET : budget, this.ports.maxBatch);
  }

  interruption(of: PushOfProfile, queue: PacedPage['queue']): Retry | undefined {
    const booksAs = this.ports.holds.interruption(of, queue);
    return booksAs && { pause: 'backoff', retryAfterMs: undefined, booksAs, words: {}, isHeld: true };
  }

  callBegins(of: PushOfProfile, devices: number): () => void {
    return this.ports.underWay.begin(of, devices);
  }

  private async withinLimits(page: PageToAdmit): Promise<Admission> {
    const { push, profile } = page;
    const of = { app: push.app, profile, pushId: push.pushId };
    const budget = await this.budgetOf(of);
    if (budget === 'unreadable') return { kind: 'wait', waitMs: UNREADABLE_WAIT_MS };
    const { callsInFlight: most } = budget;
    const calls = Math.max(1, Math.ceil(page.devices / this.ports.maxBatch));
    const granted = most === undefined ? 0 : this.ports.calls.begin(profileKey(of), { most, wanted: calls });
    if (most !== undefined && granted === 0) return this.ports.holds.forCalls(of, page.waiter);
    let isSent = false;
    try {
      const admission = await this.withinRates(budget, { page, of, granted, calls });
      isSent = admission.kind === 'send';
      return admission;
    } finally {
      // Also where Redis refused to say.
      if (granted > 0 && !isSent) this.ports.calls.end(profileKey(of), granted);
    }
  }

  isDiscarding(of: AppProfile): boolean {
    return this.ports.holds.isDiscarding(of);
  }

  /** A defect of a readable profile is booked where the profile is used. */
  private async budgetOf(of: AppProfile): Promise<Budget | 'unreadable'> {
    try {
      return (await this.ports.sessions.get(of))?.budget ?? NO_BUDGET;
    } catch (error) {
      if (!isUnreadableSecret(error)) return NO_BUDGET;
      this.ports.onUnreadable(error, of);
      return 'unreadable';
    }
  }

  private async withinRates(budget: Budget, share: PageShare): Promise<Admission> {
    const page = { channel: this.ports.channel, calls: share.calls, ...share.page };
    const uses = ratesOf(page, budget);
    const refused = uses.length === 0 ? undefined : await this.takeAll(uses);
    if (refused) return this.overBudget(page, { uses, ...refused });
    let isSent = false;
    try {
      const letThrough = await this.letThrough(share);
      isSent = letThrough.kind === 'send';
      return letThrough;
    } finally {
      if (!isSent) for (const use of uses) this.ports.rates.refund(use);
    }
  }

  private async takeAll(uses: readonly RateUse[]): Promise<{ use: RateUse; waitMs: number } | undefined> {
    const taken: RateUse[] = [];
    try {
      for (const use of uses) {
        const waitMs = await this.ports.rates.take(use);
        if (waitMs > 0) return { use, waitMs };
        taken.push(use);
      }
      return undefined;
    } finally {
      if (taken.length < uses.length) for (const use of taken) this.ports.rates.refund(use);
    }
  }

  private async overBudget(
    page: PacedPage,
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

  private async letThrough(share: PageShare): Promise<Admission> {
    const { page, of, granted, calls } = share;
    const held = this.ports.holds.beginTrial(of, page);
    if (held) return held;
    const probe = await this.claimProbe(share);
    if (!probe) return this.ports.holds.forProbe(of, page.waiter);
    return {
      kind: 'send',
      width: granted || calls,
      isProbe: probe.prober !== undefined || probe.pushProber !== undefined,
      isHeld: probe.pushProber !== undefined,
      ended: (result) => this.ended(share, result, probe),
      end: () => this.end(share, probe),
    };
  }

  /** Undefined when the page would have to be a probe, and another page is one. */
  private async claimProbe({ of, page }: PageShare): Promise<Probe | undefined> {
    const { breakers, holds, pushHolds } = this.ports;
    const isOpen = holds.isInterrupted(of);
    const prober = isOpen ? await breakers.claim(of) : undefined;
    if (isOpen && prober === undefined) return undefined;
    const isHeld = holds.unknownAnswers(of, page) !== undefined;
    const pushProber = isHeld ? await pushHolds.claim(of) : undefined;
    if (!isHeld || pushProber !== undefined) return { prober, pushProber };
    if (prober !== undefined) await breakers.ended(of, { kind: 'no-call' }, prober);
    return undefined;
  }

  private async ended({ of, page }: PageShare, result: BatchResult, probe: Probe): Promise<BatchResult> {
    const { breakers, throttles, pushHolds, onError } = this.ports;
    const { prober, pushProber } = probe;
    Object.assign(probe, { prober: undefined, pushProber: undefined });
    try {
      await throttles.ended(of, result);
      await breakers.ended(of, callResult(result), prober);
      const { push, queue, isLast } = page;
      if (queue === 'bulk') {
        return await pushHolds.ended({ of, expiresAt: push.expiresAt, isLast, prober: pushProber }, result);
      }
    } catch (error) {
      onError(error);
    }
    return result;
  }

  private async end(share: PageShare, probe: Probe): Promise<void> {
    const { of, granted } = share;
    if (granted > 0) this.ports.calls.end(profileKey(of), granted);
    const isUnused = probe.prober !== undefined || probe.pushProber !== undefined;
    if (isUnused) await this.ended(share, { verdicts: [] }, probe);
  }
}
