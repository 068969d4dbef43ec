import { coversOf, type TermOf } from './audience';
import type { JsonObject } from './json';
import { profileOf } from './profile';
import { isSharedBucket, OWN_CHANNEL, profileBucket, retiredFrom, vendorOf, type RouteBucket } from './route';

/** What the name of a bucket tells of its devices, by the field that a condition may ask for. */
const TELLS: Readonly<Record<string, (bucket: RouteBucket, value: string, vendors: Vendors) => boolean>> = {
  vendor: mayHaveVendor,
  deviceType: (bucket, value) => (bucket === 'ios') === (value === 'ios'),
  deviceProfile: mayHaveProfile,
};

/** Channel by the wire value of `vendor`. */
type Vendors = ReadonlyMap<string, string>;

function mayHaveVendor(bucket: RouteBucket, vendor: string, vendors: Vendors): boolean {
  if (bucket === 'ios') return true;
  const isOwn = vendorOf({ vendor }) === undefined;
  if (bucket === OWN_CHANNEL || isOwn) return isOwn && bucket === OWN_CHANNEL;
  const channel = profileBucket(bucket)?.channel ?? retiredFrom(bucket);
  // Where no channel is named, an earlier release may have known fewer vendors.
  return channel === undefined || vendors.get(vendor) === channel;
}

function mayHaveProfile(bucket: RouteBucket, deviceProfile: string): boolean {
  const profile = profileBucket(bucket)?.profile;
  return profile === undefined || isSharedBucket(bucket) || profile === profileOf(deviceProfile);
}

interface Fact {
  readonly field: string;
  readonly value: string;
}

/**
 * A test that tells by the name of a bucket whether some of its devices may meet a condition. Most conditions on a vendor, a
 * deviceType or a deviceProfile leave few buckets to read.
 */
export function bucketsFor(predicate: JsonObject | undefined, vendors: Vendors): (bucket: RouteBucket) => boolean {
  const facts = new Map<string, Fact>();
  const factOf: TermOf = (field, value) => {
    if (typeof value !== 'string' || !Object.hasOwn(TELLS, field)) return undefined;
    const name = `${field} ${value}`;
    facts.set(name, { field, value });
    return name;
  };
  const covers = coversOf({ predicate: predicate ?? {} }, factOf);
  const mayHold = (bucket: RouteBucket) => (name: string) => {
    const { field, value } = facts.get(name) as Fact;
    return TELLS[field]?.(bucket, value, vendors) !== false;
  };
  return (bucket) => covers.every((cover) => cover.some(mayHold(bucket)));
}
