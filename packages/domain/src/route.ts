import type { JsonObject } from './json';
import { DEFAULT_PROFILE, profileOf } from './profile';

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

/** Before the channel of a device whose address its vendor called dead. */
const RETIRED = 'retired:';

/** The channel that a device is retired from; undefined for every other bucket. */
export const retiredFrom = (bucket: RouteBucket): string | undefined =>
  bucket.startsWith(RETIRED) ? bucket.slice(RETIRED.length) : undefined;

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
  return isRetired ? `${RETIRED}${channel}` : bucketOfProfile(channel, profileOf(doc['deviceProfile']));
}

/** In the place of a profile's name: devices whose profile is not configured. No profile can have this name. */
export const OTHER_PROFILES = '*';

/** The bucket of a profile, by which its app knows it. */
export const bucketOfProfile = (channel: string, profile: string): RouteBucket => `${channel}/${profile}`;

/** The bucket of a profile, taken apart; undefined for the others. */
export function profileBucket(bucket: RouteBucket): { readonly channel: string; readonly profile: string } | undefined {
  const slash = bucket.indexOf('/');
  return slash < 0 ? undefined : { channel: bucket.slice(0, slash), profile: bucket.slice(slash + 1) };
}

/** Whether devices of several profiles, none of which exists, stand in the bucket. */
export const isSharedBucket = (bucket: RouteBucket): boolean => profileBucket(bucket)?.profile === OTHER_PROFILES;

/** The bucket that devices share with others while no profile has the name that they bring. */
export function sharedBucketOf(bucket: RouteBucket): RouteBucket | undefined {
  const of = profileBucket(bucket);
  if (!of || of.profile === DEFAULT_PROFILE || of.profile === OTHER_PROFILES) return undefined;
  return bucketOfProfile(of.channel, OTHER_PROFILES);
}
