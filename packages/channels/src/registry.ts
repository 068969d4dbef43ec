import type { VendorChannel } from '@pushfleet/channel-kit';
import { hms } from './hms';
import { honor } from './honor';
import { mi } from './mi';
import { mz } from './mz';
import { oppo } from './oppo';
import { vivo } from './vivo';

/** Every channel, by name. */
export const channels = { hms, mi, mz, oppo, vivo, honor } as const satisfies Record<string, VendorChannel>;

export type ChannelName = keyof typeof channels;

export const channelNames = Object.keys(channels) as readonly ChannelName[];

/** Channel name by the value of an installation's `vendor` field. */
export const channelOfVendor: ReadonlyMap<string, string> = new Map(
  channelNames.map((name) => [channels[name].vendor, name]),
);
