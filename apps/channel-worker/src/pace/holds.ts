import { BoundedMap, isFailureReason, type Reason } from '@pushfleet/domain';
import { type AppProfile, type Control, controlFor, isServed, profileKey, type PushOfProfile } from '@pushfleet/store';
import type { Breakers } from './breakers';
import type { Admission, PageAhead } from './admission';
import type { PushHolds } from './push-holds';
import { SpacedWaits } from './spaced-waits';
import type { Throttles } from './throttles';

type Hold = Exclude<Admission, { kind: 'send' }>;

/** The job that comes back, and the queue that it stands in. */
type HeldPage = Pick<PageAhead, 'waiter' | 'queue' | 'isOverQuota'> & {
  readonly push: Pick<PageAhead['push'], 'pushId' | 'pushTime'>;
};

/** For what ends at a time that nobody knows: the decision of an operator, a probe under way, calls of others. */
const LEAST_WAIT_MS = { paused: 1000, probe: 500, calls: 50 };
const MOST_WAIT_MS = 10_000;
/** Between two of many jobs that wait for the same reason. */
const STEP_MS = 2;
const MAX_WAITS = 10_000;

/** Addressed messages are few and urgent: each is tried by itself, but for those that a spent quota keeps for hours. */
const waitsWithOthers = ({ queue, isOverQuota }: Pick<HeldPage, 'queue' | 'isOverQuota'>): boolean =>
  queue === 'bulk' || isOverQuota === true;

export interface HoldsPorts {
  readonly breakers: Breakers;
  readonly throttles: Throttles;
  readonly pushHolds: PushHolds;
  readonly now: () => number;
}

/** What keeps a profile from sending, as far as this process knows without asking Redis. */
export class Holds {
  controls: readonly Control[] = [];
  private readonly waits = new BoundedMap<string, SpacedWaits>(MAX_WAITS);

  constructor(private readonly ports: HoldsPorts) {}

  /** Undefined when nothing holds the profile, or when it is time to probe the vendor. */
  of(of: AppProfile, page: HeldPage): Hold | undefined {
    const { waiter } = page;
    return (
      this.byDecision(of, page) ??
      this.byBreaker(of, waiter) ??
      this.byUnknownAnswers(of, page) ??
      this.byThrottle(of, page)
    );
  }

  private byDecision(of: AppProfile, { waiter, push }: HeldPage): Hold | undefined {
    const control = this.controls.length === 0 ? undefined : controlFor(this.controls, of);
    if (control === undefined || isServed(control, push)) return undefined;
    if (control.state === 'discarding') return { kind: 'book', reason: 'channel-unavailable' };
    return this.wait('paused', { ...of, waiter }, LEAST_WAIT_MS.paused);
  }

  private byBreaker(of: AppProfile, waiter: string): Hold | undefined {
    const breaker = this.ports.breakers.of(of);
    if (breaker === undefined || breaker.state === 'closed' || breaker.probeAt <= this.ports.now()) return undefined;
    return breaker.state === 'open'
      ? this.wait('open', { ...of, waiter }, breaker.probeAt - this.ports.now())
      : this.forProbe(of, waiter);
  }

  private byUnknownAnswers(of: AppProfile, page: HeldPage): Hold | undefined {
    const hold = this.unknownAnswers(of, page);
    const leftMs = (hold?.probeAt ?? 0) - this.ports.now();
    const { waiter } = page;
    return leftMs > 0
      ? this.wait(`held ${page.push.pushId}`, { ...of, waiter }, Math.min(leftMs, MOST_WAIT_MS))
      : undefined;
  }

  /** What holds the push of a campaign. Addressed messages are few and urgent: each is tried by itself. */
  unknownAnswers(
    of: AppProfile,
    { queue, push }: { readonly queue: HeldPage['queue']; readonly push: Pick<PushOfProfile, 'pushId'> },
  ) {
    return queue === 'bulk' ? this.ports.pushHolds.of({ ...of, pushId: push.pushId }) : undefined;
  }

  /** Undefined when this page, of all that asked since, is the one to try whether the vendor takes more. */
  beginTrial(of: AppProfile, page: HeldPage): Hold | undefined {
    const hold = this.byThrottle(of, page);
    if (!hold && waitsWithOthers(page)) this.ports.throttles.begin(of);
    return hold;
  }

  private byThrottle(of: AppProfile, page: HeldPage): Hold | undefined {
    const waitMs = waitsWithOthers(page) ? this.ports.throttles.waitMs(of) : 0;
    return waitMs > 0 ? this.wait('throttled', { ...of, waiter: page.waiter }, waitMs) : undefined;
  }

  isDiscarding(of: AppProfile): boolean {
    return controlFor(this.controls, of)?.state === 'discarding';
  }

  isInterrupted(of: AppProfile): boolean {
    const state = this.ports.breakers.of(of)?.state;
    return state === 'open' || state === 'half-open';
  }

  /** Why no further call may begin, in the middle of a page. */
  interruption(of: PushOfProfile, queue: HeldPage['queue']): Reason | undefined {
    if (controlFor(this.controls, of)?.state === 'paused') return 'expired';
    if (this.isInterrupted(of)) return this.faultOf(of) ?? 'unreachable';
    return this.unknownAnswers(of, { queue, push: of }) ? 'unrecognised-answer' : undefined;
  }

  /** How the rest of an expired push is booked: by the reason of its wait, if it is known. */
  expiredAs(of: PushOfProfile, expiresAt: number): Reason | undefined {
    return this.ports.pushHolds.heldUntil(of, expiresAt) ? 'unrecognised-answer' : this.faultOf(of);
  }

  /** Why the vendor is not called; undefined where an operator stopped the calls. */
  private faultOf(of: AppProfile): Reason | undefined {
    const control = controlFor(this.controls, of);
    if (control !== undefined && control.state !== 'draining') return undefined;
    const breaker = this.ports.breakers.of(of);
    if (!breaker || breaker.state === 'closed') return this.ports.throttles.booksAs(of);
    // Waiting devices were not called for, so the vendor cannot have taken them.
    if (breaker.reason === 'unknown-outcome') return 'unreachable';
    return isFailureReason(breaker.reason) ? breaker.reason : undefined;
  }

  forProbe(of: AppProfile, waiter: string): Hold {
    return this.wait('probe', { ...of, waiter }, LEAST_WAIT_MS.probe);
  }

  forCalls(of: AppProfile, waiter: string): Hold {
    return this.wait('calls', { ...of, waiter }, LEAST_WAIT_MS.calls);
  }

  private wait(why: string, of: AppProfile & { waiter: string }, leastMs: number): Hold {
    const name = `${why} ${profileKey(of)}`;
    const waits = this.waits.get(name) ?? new SpacedWaits(MOST_WAIT_MS);
    this.waits.set(name, waits);
    return { kind: 'wait', waitMs: waits.next(this.ports.now(), { waiter: of.waiter, leastMs, stepMs: STEP_MS }) };
  }
}
