import {
  isFailureReason,
  type Deferred,
  type Discarded,
  type Failed,
  type Outcome,
  type Reason,
  type VendorVerdict,
} from '@pushfleet/domain';

/** A device that is tried again. */
export interface Later extends Deferred {
  /** A call for it may have been taken. */
  readonly isUnknown?: boolean;
}

/** The verdict of a device; a failure comes from a fault that is not retried any more. */
export type Verdict = Exclude<Outcome, Deferred> | Later | Failed;

/** A fault that calls for another try of the whole batch. */
export interface Retry {
  readonly pause: 'backoff' | 'wait';
  readonly retryAfterMs: number | undefined;
  /** How the devices are booked when no try succeeds. */
  readonly booksAs: Reason;
  readonly words: VendorVerdict;
  /** So many tries that end so are made in all; without it, there is no bound but the expiry of the push. */
  readonly maxTries?: number | undefined;
  /** The vendor may have taken the batch. */
  readonly isUnknown?: boolean;
  /** The batch waits with others. Calling for it only checked whether they still have to wait, which is no try of the batch. */
  readonly isHeld?: boolean;
}

/** Devices that no call was made for got nothing, whatever came of the call that kept theirs from beginning. */
export const withoutCall = (retry: Retry): Retry =>
  retry.isUnknown === true ? { ...retry, isUnknown: false, booksAs: 'expired', words: {} } : retry;

export type BatchResult = { readonly verdicts: readonly Verdict[] } | { readonly retry: Retry };

export function refusal(reason: Reason, words: VendorVerdict = {}): Discarded | Failed {
  return isFailureReason(reason) ? { kind: 'failed', reason, ...words } : { kind: 'discarded', reason, ...words };
}
