import type { Reason } from '@pushfleet/domain';
import type { ProfileOfChannel, VendorWait } from '@pushfleet/store';
import { pauseMs } from '../backoff';
import type { BatchResult, Retry } from '../send-batch';
import { callResult } from './call-result';
import { profileKey } from './profile-key';

interface Throttle {
  /** Nobody asks before, milliseconds since the epoch. */
  until: number;
  /** A call tries whether the vendor takes more. */
  isTried: boolean;
  /** Times in a row that the vendor asked to wait. */
  times: number;
  /** How devices are booked that expire meanwhile. */
  booksAs: Reason;
}

/** A trial that has not ended by then does not keep others from theirs. */
const TRIAL_MS = 500;
/** A vendor may name the end of the day; its customer may buy a larger quota before. */
const LONGEST_MS = 60_000;

/**
 * Profiles whose vendor asked to wait. What is left of their campaigns waits together instead of being told so page by page:
 * a body of a thousand addresses costs its worker the same whether it is taken or not. Known in one process.
 */
export class Throttles {
  private readonly known = new Map<string, Throttle>();

  constructor(
    private readonly now: () => number,
    /** Tells others; undefined: the vendor takes more. */
    private readonly note: (of: ProfileOfChannel, wait: VendorWait | undefined) => Promise<void>,
    private readonly random: () => number = Math.random,
  ) {}

  /** 0: nothing keeps a page from being sent, or it is the one to try. */
  waitMs(of: ProfileOfChannel): number {
    return Math.max(0, (this.known.get(profileKey(of))?.until ?? 0) - this.now());
  }

  /** How devices of the profile are booked that expire now; undefined where nobody is asked to wait. */
  booksAs(of: ProfileOfChannel): Reason | undefined {
    return this.known.get(profileKey(of))?.booksAs;
  }

  begin(of: ProfileOfChannel): void {
    const throttle = this.known.get(profileKey(of));
    if (throttle) Object.assign(throttle, { until: this.now() + TRIAL_MS, isTried: true });
  }

  async ended(of: ProfileOfChannel, result: BatchResult): Promise<void> {
    const name = profileKey(of);
    const throttle = this.known.get(name);
    // Calls that were under way when the vendor asked to wait tell nothing new.
    if (throttle && !throttle.isTried && this.now() < throttle.until) return;
    if ('retry' in result && result.retry.pause === 'wait') await this.asked(of, result.retry);
    else if (throttle && callResult(result).kind === 'answer') {
      this.known.delete(name);
      await this.note(of, undefined);
    }
  }

  private async asked(of: ProfileOfChannel, retry: Retry): Promise<void> {
    const name = profileKey(of);
    const times = (this.known.get(name)?.times ?? 0) + 1;
    const pause = Math.min(LONGEST_MS, pauseMs(retry, times - 1, this.random));
    const { booksAs } = retry;
    const until = this.now() + pause;
    this.known.set(name, { until, isTried: false, times, booksAs });
    await this.note(of, { until, reason: booksAs === 'quota-exceeded' ? booksAs : 'throttled' });
  }
}
