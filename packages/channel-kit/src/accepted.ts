import type { Accepted } from '@pushfleet/domain';

/** What the vendor took, under its own id where the answer has one. */
export const accepted = (vendorMessageId: string | undefined, truncated = false): Accepted => ({
  kind: 'accepted',
  ...(vendorMessageId === undefined ? {} : { vendorMessageId }),
  ...(truncated ? { truncated } : {}),
});
