import type { DiscardReason, FailureReason, Reason } from './reasons';

/** The vendor's own words, kept for the push record. */
export interface VendorVerdict {
  readonly vendorCode?: string;
  readonly vendorMessage?: string;
}

type MaybeWords = Readonly<Partial<Record<keyof VendorVerdict, string | undefined>>>;

/** The same of words that may be missing. */
export const vendorWords = ({ vendorCode, vendorMessage }: MaybeWords): VendorVerdict => ({
  ...(vendorCode === undefined ? {} : { vendorCode }),
  ...(vendorMessage === undefined ? {} : { vendorMessage }),
});

const MAX_CODE_LENGTH = 64;
/** Characters that are kept of a message for a whole call. */
export const MAX_WORDS_LENGTH = 500;

/** As much of them as is kept: a vendor may repeat a whole request in its code and its message. */
export const keptWords = ({ vendorCode, vendorMessage }: MaybeWords, most = MAX_WORDS_LENGTH): VendorVerdict =>
  vendorWords({
    vendorCode: vendorCode?.slice(0, MAX_CODE_LENGTH),
    vendorMessage: vendorMessage?.slice(0, most),
  });

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
  /** The vendor wants no more tries that end so than this many; waits do not count. Without it, the device is tried until the push expires. */
  readonly maxTries?: number;
}
export interface Failed extends VendorVerdict {
  readonly kind: 'failed';
  readonly reason: FailureReason;
}

/** How a device ends in a push. */
export const DEVICE_OUTCOMES = ['accepted', 'discarded', 'failed'] as const;
export type DeviceOutcome = (typeof DEVICE_OUTCOMES)[number];

/** A vendor's immediate verdict on one device. */
export type Outcome = Accepted | Discarded | Deferred;
