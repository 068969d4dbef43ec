/** What the sender or operator should do about a discard or a failure. */
export type Advice = 'fix-config' | 'drop-registration' | 'slow-down' | 'retry' | 'never';

export interface ReasonPolicy {
  /** Takes the registration out of the audience; the installation stays. */
  readonly retires: boolean;
  readonly advice: Advice;
}

/** A deliberate decision not to deliver to a device, and what follows from it. */
export const DISCARD_POLICY = {
  'silent-unsupported': { retires: false, advice: 'never' },
  'payload-too-large': { retires: false, advice: 'never' },
  'package-name-too-long': { retires: false, advice: 'fix-config' },
  'profile-missing': { retires: false, advice: 'fix-config' },
  'channel-unavailable': { retires: false, advice: 'fix-config' },
  'vendor-unknown': { retires: false, advice: 'never' },
  'platform-unsupported': { retires: false, advice: 'never' },
  'registration-missing': { retires: false, advice: 'drop-registration' },
  'registration-gone': { retires: true, advice: 'drop-registration' },
  'notifications-off': { retires: false, advice: 'never' },
  'frequency-capped': { retires: false, advice: 'slow-down' },
  'quota-exceeded': { retires: false, advice: 'slow-down' },
  expired: { retires: false, advice: 'retry' },
  cancelled: { retires: false, advice: 'never' },
  'credentials-rejected': { retires: false, advice: 'fix-config' },
  'message-rejected': { retires: false, advice: 'never' },
} as const satisfies Record<string, ReasonPolicy>;

export type DiscardReason = keyof typeof DISCARD_POLICY;

/** No verdict could be had from the vendor. */
export const FAILURE_POLICY = {
  unreachable: { retires: false, advice: 'retry' },
  'vendor-error': { retires: false, advice: 'retry' },
  /** May have been taken, and was not repeated: a repeat would alert twice. */
  'unknown-outcome': { retires: false, advice: 'never' },
  'unrecognised-answer': { retires: false, advice: 'never' },
  'internal-error': { retires: false, advice: 'never' },
} as const satisfies Record<string, ReasonPolicy>;

export type FailureReason = keyof typeof FAILURE_POLICY;

export type Reason = DiscardReason | FailureReason;

export function isFailureReason(reason: string): reason is FailureReason {
  return Object.hasOwn(FAILURE_POLICY, reason);
}

export function adviceFor(reason: Reason): Advice {
  return (isFailureReason(reason) ? FAILURE_POLICY[reason] : DISCARD_POLICY[reason]).advice;
}

/** The vendor's own words, kept for the push record. */
export interface VendorVerdict {
  readonly vendorCode?: string;
  readonly vendorMessage?: string;
}

export interface Accepted {
  readonly kind: 'accepted';
  readonly vendorMessageId?: string;
  /** Some text was cut to the vendor's limit. */
  readonly truncated?: boolean;
  /** What the channel left out or changed, in words that depend on the message and the profile alone. */
  readonly notes?: readonly string[];
}
export interface Discarded extends VendorVerdict {
  readonly kind: 'discarded';
  readonly reason: DiscardReason;
  /** The vendor's word may hold for the moment only: it retires a registration after several pushes on different days. */
  readonly mayPass?: true;
}
/** The vendor refused this device for now; the others of the batch have their own outcomes. */
export interface Deferred extends VendorVerdict {
  readonly kind: 'deferred';
  readonly retryAfterMs: number;
  /** How the device is booked when the push expires before a retry succeeds. */
  readonly reason: Reason;
  /** The vendor wants no further try than this many in all; without it, the device is tried until the push expires. */
  readonly maxTries?: number;
}
export interface Failed extends VendorVerdict {
  readonly kind: 'failed';
  readonly reason: FailureReason;
}

/** A vendor's immediate verdict on one device. */
export type Outcome = Accepted | Discarded | Deferred;
