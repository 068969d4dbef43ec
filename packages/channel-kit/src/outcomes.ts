import type { Accepted, Discarded } from '@pushfleet/domain';

/** What was sent, as far as the reading of an answer needs it. */
export interface Sent {
  readonly registrationIds: readonly string[];
  /** A text was cut to the vendor's limit. */
  readonly truncated: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What the vendor took, under its own id where the answer has one. */
export const accepted = (vendorMessageId: string | undefined, truncated = false): Accepted => ({
  kind: 'accepted',
  ...(vendorMessageId === undefined ? {} : { vendorMessageId }),
  ...(truncated ? { truncated } : {}),
});

/** What is not sent, and in which words. */
export const discarded = (reason: Discarded['reason'], vendorMessage?: string): Discarded => ({
  kind: 'discarded',
  reason,
  ...(vendorMessage === undefined ? {} : { vendorMessage }),
});
