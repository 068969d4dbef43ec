import type { JsonObject } from './json';
import { DEFAULT_PROFILE, profileOf } from './profile';
import type { DiscardReason } from './outcome';

/** The service's own WebSocket channel. */
export const OWN_CHANNEL = 'own';
/** What clients write into `vendor` when they leave a vendor's channel. */
const UNREGISTERED_VENDOR = 'lc';

/**
 * Where a device is reachable: `<channel>/<profile>`, `own`, or why not: `ios`, `unknown`, `unregistered`,
 * `retired:<channel>`. Every valid device is in exactly one bucket. Devices of a channel whose profile does not exist share
 * `<channel>/*`.
 */
export type RouteBucket = string;

/** The vendor that a device is with by its own words; undefined when it is with none. */
export const vendorOf = ({ vendor }: JsonObject): string | undefined =>
  typeof vendor === 'string' && vendor !== '' && vendor !== UNREGISTERED_VENDOR ? vendor : undefined;

/** The bucket of an installation; undefined when it is not valid and so never a target. */
export function bucketOf(
  doc: JsonObject,
  vendors: ReadonlyMap<string, string>,
  isRetired: boolean,
): RouteBucket | undefined {
  if (doc['valid'] === false) return undefined;
  if (doc['deviceType'] === 'ios') return 'ios';
  const vendor = vendorOf(doc);
  if (vendor === undefined) return OWN_CHANNEL;
  const channel = vendors.get(vendor);
  if (channel === undefined) return 'unknown';
  if (typeof doc['registrationId'] !== 'string' || doc['registrationId'] === '') return 'unregistered';
  return isRetired ? `retired:${channel}` : `${channel}/${profileOf(doc['deviceProfile'])}`;
}

/** In the place of a profile's name: devices whose profile is not configured. No profile can have this name. */
const OTHER_PROFILES = '*';

/** The bucket of a profile, taken apart; undefined for the others. */
function profileBucket(bucket: RouteBucket): { readonly channel: string; readonly profile: string } | undefined {
  const slash = bucket.indexOf('/');
  return slash < 0 ? undefined : { channel: bucket.slice(0, slash), profile: bucket.slice(slash + 1) };
}

/** The bucket that devices share with others while no profile has the name that they bring. */
export function sharedBucketOf(bucket: RouteBucket): RouteBucket | undefined {
  const { channel, profile = DEFAULT_PROFILE } = profileBucket(bucket) ?? {};
  return profile === DEFAULT_PROFILE || profile === OTHER_PROFILES ? undefined : `${channel}/${OTHER_PROFILES}`;
}

/** What a push does with the devices of a bucket; `channel` is the column of the books they stand in. */
export type Route =
  | { readonly channel: string; readonly profile: string }
  | { readonly channel: string; readonly discard: DiscardReason };

export interface RoutingRules {
  readonly hybrid: boolean;
  /** `<channel>/<profile>` of every profile that exists. */
  readonly profiles: ReadonlySet<string>;
  /** Channels that the fleet has a worker for. */
  readonly available: ReadonlySet<string>;
}

export function routeOf(bucket: RouteBucket, rules: RoutingRules): Route {
  if (bucket === 'ios') return { channel: 'ios', discard: 'platform-unsupported' };
  if (bucket === OWN_CHANNEL || !rules.hybrid) return ownRoute(rules);
  if (bucket === 'unknown') return { channel: 'unknown', discard: 'vendor-unknown' };
  if (bucket === 'unregistered') return { channel: 'unregistered', discard: 'registration-missing' };
  if (bucket.startsWith('retired:')) return { channel: bucket.slice('retired:'.length), discard: 'registration-gone' };
  const slash = bucket.indexOf('/');
  const channel = bucket.slice(0, slash);
  if (!rules.profiles.has(bucket)) return { channel, discard: 'profile-missing' };
  return { channel, profile: bucket.slice(slash + 1) };
}

function ownRoute(rules: RoutingRules): Route {
  if (rules.available.has(OWN_CHANNEL)) return { channel: OWN_CHANNEL, profile: '' };
  return { channel: OWN_CHANNEL, discard: 'channel-unavailable' };
}
