import type { JsonObject } from './json';
import { bucketOf, bucketOfProfile, profileBucket, retiredFrom } from './route';

const VENDORS = new Map([
  ['HMS', 'hms'],
  ['mi', 'mi'],
]);
const device = (fields: JsonObject): JsonObject => ({ deviceType: 'android', ...fields });

describe('bucketOf', () => {
  it.each<[string, JsonObject, string | undefined]>([
    ['a device that is not valid is no target', { vendor: 'HMS', registrationId: 'r', valid: false }, undefined],
    ['ios', { deviceType: 'ios', vendor: 'HMS', registrationId: 'r' }, 'ios'],
    ['no vendor', { registrationId: 'r' }, 'own'],
    ['an empty vendor', { vendor: '' }, 'own'],
    ['a device that left its vendor', { vendor: 'lc', registrationId: 'r' }, 'own'],
    ['web without vendor', { deviceType: 'web' }, 'own'],
    ['no device type', { deviceType: '' }, 'own'],
    ['a vendor that nobody serves', { vendor: 'fcm', registrationId: 'r' }, 'unknown'],
    ['the international edition of a vendor', { vendor: 'mi-intl', registrationId: 'r' }, 'unknown'],
    ['another spelling of a vendor', { vendor: 'hms', registrationId: 'r' }, 'unknown'],
    ['no registrationId', { vendor: 'HMS' }, 'unregistered'],
    ['an empty registrationId', { vendor: 'HMS', registrationId: '' }, 'unregistered'],
    ['the default profile', { vendor: 'HMS', registrationId: 'r' }, 'hms/_default'],
    ['an empty profile', { vendor: 'HMS', registrationId: 'r', deviceProfile: '' }, 'hms/_default'],
    ['a profile', { vendor: 'mi', registrationId: 'r', deviceProfile: 'game' }, 'mi/game'],
    ['a valid device', { vendor: 'mi', registrationId: 'r', valid: true }, 'mi/_default'],
  ])('%s', (_, fields, bucket) => {
    expect(bucketOf(device(fields), VENDORS, false)).toBe(bucket);
  });

  it('a retired registration takes a vendor device out of its bucket', () => {
    expect(bucketOf(device({ vendor: 'HMS', registrationId: 'r' }), VENDORS, true)).toBe('retired:hms');
    expect([retiredFrom('retired:hms'), retiredFrom('hms/_default')]).toEqual(['hms', undefined]);
  });

  it('a retired registration does not matter to a device that left its vendor', () => {
    expect(bucketOf(device({ vendor: 'lc', registrationId: 'r' }), VENDORS, true)).toBe('own');
  });
});

test.each([
  { channel: 'hms', profile: 'game' },
  { channel: 'own', profile: '' },
])('the bucket of a profile leads back to it', (of) => {
  expect(profileBucket(bucketOfProfile(of.channel, of.profile))).toEqual(of);
});
