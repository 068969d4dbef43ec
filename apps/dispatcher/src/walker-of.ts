import { OWN_CHANNEL } from '@pushfleet/domain';

/** The worker of the own channel walks devices without a vendor; each of `channels` has workers of its own. */
export const walkerOf = (channel: string, channels: ReadonlySet<string>): string =>
  channels.has(channel) ? channel : OWN_CHANNEL;
