import { isStillAhead, type Reason } from '@pushfleet/domain';
import { type AppProfile, profileKey, type VendorWait } from '@pushfleet/store';
import { MAX_PAUSE_MS, sharedPauseMs } from '../backoff';
import type { BatchResult, Retry } from '../verdict';
import { callResult } from './call-result';

interface Throttle {
  /** The vendor is not called before this time, milliseconds since the epoch. */
  until: number;
  /** A call tries whether the vendor takes more. */
  isTried: boolean;
  /** Times in a row that the vendor asked to wait. */
  times: number;
  /** How devices that expire meanwhile are booked. */
  booksAs: Reason;
}

/** A trial that has not ended by then no longer keeps other calls from trying. */
const TRIAL_MS = 500;
/** A profile that nobody sends to for so long behind its wait begins anew, where there are many. */
const FORGOTTEN_MS = 600_000;
const MANY = 1000;

/**
 * Profiles whose vendor asked to wait, as one process knows them. The rest of their campaigns waits together, because a body of a
 * thousand addresses costs the worker the same whether the vendor takes it or not.
 */
export class Throttles {
  private readonly known = new Map<string, Throttle>();

  constructor(
    private readonly now: () => number,
    /** Called with the new state for the other workers; undefined when the vendor takes more. */
    private readonly note: (of: AppProfile, wait: VendorWait | undefined) => Promise<void>,
    private readonly random: () => number = Math.random,
  ) {}

  /** 0 when the page may be sent, or is the one to try. */
  waitMs(of: AppProfile): number {
    const [until, now] = [this.known.get(profileKey(of))?.until ?? 0, this.now()];
    return isStillAhead(until, now, MAX_PAUSE_MS) ? until - now : 0;
  }

  /** How devices of the profile that expire now are booked; undefined where the vendor did not ask to wait. */
  booksAs(of: AppProfile): Reason | undefined {
    return this.known.get(profileKey(of))?.booksAs;
  }

  begin(of: AppProfile): void {
    const throttle = this.known.get(profileKey(of));
    if (throttle) Object.assign(throttle, { until: this.now() + TRIAL_MS, isTried: true });
  }

  async ended(of: AppProfile, result: BatchResult): Promise<void> {
    const name = profileKey(of);
    const throttle = this.known.get(name);
    // Calls that were under way when the vendor asked to wait say nothing new.
    if (throttle && !throttle.isTried && this.waitMs(of) > 0) return;
    if ('retry' in result && result.retry.pause === 'wait') await this.asked(of, result.retry);
    else if (throttle && callResult(result).kind === 'answer') {
      this.known.delete(name);
      await this.note(of, undefined);
    }
  }

  private async asked(of: AppProfile, retry: Retry): Promise<void> {
    const name = profileKey(of);
    const times = (this.known.get(name)?.times ?? 0) + 1;
    const { booksAs } = retry;
    const until = this.now() + sharedPauseMs(retry, times - 1, this.random);
    if (this.known.size >= MANY) this.forgetIdle();
    this.known.set(name, { until, isTried: false, times, booksAs });
    await this.note(of, { until, reason: booksAs === 'quota-exceeded' ? booksAs : 'throttled' });
  }

  private forgetIdle(): void {
    const before = this.now() - FORGOTTEN_MS;
    for (const [name, { until }] of this.known) if (until < before) this.known.delete(name);
  }
}
