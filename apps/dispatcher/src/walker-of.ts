import { OWN_CHANNEL } from '@pushfleet/domain';

/** Devices without a vendor's road are walked by the own channel's worker; `channels` have workers of their own. */
export const walkerOf = (channel: string, channels: ReadonlySet<string>): string =>
  channels.has(channel) ? channel : OWN_CHANNEL;
