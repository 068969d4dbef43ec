import { isFailureReason, type Reason } from '@pushfleet/domain';
import type { Control, ProfileOfChannel } from '@pushfleet/store';
import type { Breakers } from './breakers';
import { controlFor } from './controls';
import type { PageToSend } from './limits';
import type { Admission } from './pace';
import { SpacedWaits } from './spaced-waits';
import type { Throttles } from './throttles';

type Hold = Exclude<Admission, { kind: 'send' }>;

/** The job that comes back, and the queue that it stands in. */
type HeldPage = Pick<PageToSend, 'waiter' | 'queue'>;

const PAUSED_MS = 1000;
const MOST_WAIT_MS = 10_000;
/** Between two of many that wait for the same thing. */
const STEP_MS = 2;
/** A probe under way ends soon, one way or the other. */
const PROBE_WAIT_MS = 500;
const CALLS_WAIT_MS = 50;
const MAX_WAITS = 10_000;

/** What keeps a profile from sending, known in this process without asking anybody. */
export class Holds {
  controls: readonly Control[] = [];
  private readonly waits = new Map<string, SpacedWaits>();

  constructor(
    private readonly breakers: Breakers,
    private readonly throttles: Throttles,
    private readonly now: () => number,
  ) {}

  /** Undefined: nothing does, or it is time to see whether the vendor is back, or takes more. */
  of(of: ProfileOfChannel, { waiter, queue }: HeldPage): Hold | undefined {
    return this.byDecision(of, waiter) ?? this.byBreaker(of, waiter) ?? this.byThrottle(of, { waiter, queue });
  }

  private byDecision(of: ProfileOfChannel, waiter: string): Hold | undefined {
    const control = this.controls.length === 0 ? undefined : controlFor(this.controls, of);
    if (control?.state === 'paused') return this.wait('paused', { ...of, waiter }, PAUSED_MS);
    return control?.state === 'draining' ? { kind: 'book', reason: 'channel-unavailable' } : undefined;
  }

  private byBreaker(of: ProfileOfChannel, waiter: string): Hold | undefined {
    const breaker = this.breakers.of(of);
    if (breaker === undefined || breaker.state === 'closed' || breaker.probeAt <= this.now()) return undefined;
    return breaker.state === 'open'
      ? this.wait('open', { ...of, waiter }, breaker.probeAt - this.now())
      : this.forProbe(of, waiter);
  }

  /** Undefined: of all pages that asked since the vendor did, this one tries whether it takes more. */
  beginTrial(of: ProfileOfChannel, page: HeldPage): Hold | undefined {
    const hold = this.byThrottle(of, page);
    if (!hold && page.queue === 'bulk') this.throttles.begin(of);
    return hold;
  }

  /** Messages are few and urgent: each is tried for itself. */
  private byThrottle(of: ProfileOfChannel, { waiter, queue }: HeldPage): Hold | undefined {
    const waitMs = queue === 'bulk' ? this.throttles.waitMs(of) : 0;
    return waitMs > 0 ? this.wait('throttled', { ...of, waiter }, waitMs) : undefined;
  }

  isDraining(of: ProfileOfChannel): boolean {
    return controlFor(this.controls, of)?.state === 'draining';
  }

  isInterrupted(of: ProfileOfChannel): boolean {
    const state = this.breakers.of(of)?.state;
    return state === 'open' || state === 'half-open';
  }

  /** Why no further call may begin, in the middle of a page. */
  interruption(of: ProfileOfChannel): Reason | undefined {
    if (controlFor(this.controls, of)?.state === 'paused') return 'expired';
    return this.isInterrupted(of) ? (this.faultOf(of) ?? 'unreachable') : undefined;
  }

  /** Why the vendor is not called; nothing while it is not meant to be. */
  faultOf(of: ProfileOfChannel): Reason | undefined {
    if (controlFor(this.controls, of)) return undefined;
    const breaker = this.breakers.of(of);
    if (!breaker || breaker.state === 'closed') return this.throttles.booksAs(of);
    // What waits was not called: nothing of it may have been taken.
    if (breaker.reason === 'unknown-outcome') return 'unreachable';
    return isFailureReason(breaker.reason) ? breaker.reason : undefined;
  }

  forProbe(of: ProfileOfChannel, waiter: string): Hold {
    return this.wait('probe', { ...of, waiter }, PROBE_WAIT_MS);
  }

  forCalls(of: ProfileOfChannel, waiter: string): Hold {
    return this.wait('calls', { ...of, waiter }, CALLS_WAIT_MS);
  }

  private wait(why: string, { app, profile, waiter }: ProfileOfChannel & { waiter: string }, leastMs: number): Hold {
    const name = `${why} ${app}/${profile}`;
    const waits = this.waits.get(name) ?? new SpacedWaits(MOST_WAIT_MS);
    if (this.waits.size >= MAX_WAITS) this.waits.clear();
    this.waits.set(name, waits);
    return { kind: 'wait', waitMs: waits.next(this.now(), { waiter, leastMs, stepMs: STEP_MS }) };
  }
}
