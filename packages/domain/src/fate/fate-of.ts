import { messageFor, type PushContent } from '../message';
import type { DiscardReason } from '../reasons';
import { OWN_CHANNEL, profileBucket, retiredFrom, type RouteBucket } from '../route';

/** What decides about a channel's devices before anybody calls its vendor. */
export interface ChannelTraits {
  /** Hands a message to the app without showing it. */
  readonly passThrough: boolean;
}

/** A silent push is sent to the own channel as it is. */
const OWN_TRAITS: ChannelTraits = { passThrough: true };

/** The channels of a fleet that has the own channel beside these vendors'. */
export function traitsOf(
  vendors: Iterable<{ readonly name: string; readonly capabilities: ChannelTraits }>,
): ReadonlyMap<string, ChannelTraits> {
  const traits = new Map([...vendors].map(({ name, capabilities }) => [name, capabilities]));
  return traits.set(OWN_CHANNEL, OWN_TRAITS);
}

/** What a push does with the devices of a bucket; `channel` is the column of the books they stand in. */
export type Fate =
  | { readonly channel: string; readonly profile: string }
  | { readonly channel: string; readonly discard: DiscardReason };

export interface FateRules {
  readonly hybrid: boolean;
  /** `<channel>/<profile>` of every profile that exists. */
  readonly profiles: ReadonlySet<string>;
  /** Channels that the fleet has a worker for. */
  readonly channels: ReadonlyMap<string, ChannelTraits>;
}

export type FateOf = (bucket: RouteBucket) => Fate;

/**
 * Decides what becomes of devices, bucket by bucket: the way of their channel, or the reason why not. Without a content the
 * answer holds for every push that shows something.
 */
export function fatesOf(rules: FateRules, content?: PushContent): FateOf {
  const known = new Map<string, boolean>();
  const isSilent = (channel: string): boolean => {
    const silent = known.get(channel) ?? (content !== undefined && messageFor(content, channel).silent);
    known.set(channel, silent);
    return silent;
  };
  return (bucket) => {
    const fate = fateOfBucket(bucket, rules);
    if ('discard' in fate || rules.channels.get(fate.channel)?.passThrough !== false) return fate;
    return isSilent(fate.channel) ? { channel: fate.channel, discard: 'silent-unsupported' } : fate;
  };
}

function fateOfBucket(bucket: RouteBucket, rules: FateRules): Fate {
  if (bucket === 'ios') return { channel: 'ios', discard: 'platform-unsupported' };
  if (bucket === OWN_CHANNEL || !rules.hybrid) return ownFate(rules);
  if (bucket === 'unknown') return { channel: 'unknown', discard: 'vendor-unknown' };
  const way = profileBucket(bucket);
  if (way) return rules.profiles.has(bucket) ? way : { channel: way.channel, discard: 'profile-missing' };
  const channel = retiredFrom(bucket);
  if (channel !== undefined) return { channel, discard: 'registration-gone' };
  return { channel: 'unregistered', discard: 'registration-missing' };
}

function ownFate({ channels }: FateRules): Fate {
  if (channels.has(OWN_CHANNEL)) return { channel: OWN_CHANNEL, profile: '' };
  return { channel: OWN_CHANNEL, discard: 'channel-unavailable' };
}
