import type { VendorChannel } from '@pushfleet/channel-kit';
import * as folders from './registry-channels';

type Channels = typeof folders;

export type ChannelName = keyof Channels;

const byName = (a: readonly [string, unknown], b: readonly [string, unknown]): number => (a[0] < b[0] ? -1 : 1);

/** Every channel, by name and in the order of names. */
export const channels = Object.fromEntries(
  Object.entries(folders satisfies Record<string, VendorChannel>).sort(byName),
) as Channels;

export const channelNames = Object.keys(channels) as readonly ChannelName[];

/** Channel name by the value of an installation's `vendor` field. */
export const channelOfVendor: ReadonlyMap<string, string> = new Map(
  channelNames.map((name) => [channels[name].vendor, name]),
);
