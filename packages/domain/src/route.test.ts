import type { JsonObject } from './json';
import { bucketOf, routeOf, type Route, type RoutingRules } from './route';

const VENDORS = new Map([
  ['HMS', 'hms'],
  ['mi', 'mi'],
]);
const HYBRID: RoutingRules = {
  hybrid: true,
  profiles: new Set(['hms/_default', 'hms/game']),
  available: new Set(['hms', 'mi', 'own']),
};
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
  });

  it('a retired registration does not matter to a device that left its vendor', () => {
    expect(bucketOf(device({ vendor: 'lc', registrationId: 'r' }), VENDORS, true)).toBe('own');
  });
});

describe('routeOf with hybrid on', () => {
  it.each<[string, Route]>([
    ['hms/_default', { channel: 'hms', profile: '_default' }],
    ['hms/game', { channel: 'hms', profile: 'game' }],
    ['hms/other', { channel: 'hms', discard: 'profile-missing' }],
    ['mi/_default', { channel: 'mi', discard: 'profile-missing' }],
    ['retired:hms', { channel: 'hms', discard: 'registration-gone' }],
    ['unregistered', { channel: 'unregistered', discard: 'registration-missing' }],
    ['unknown', { channel: 'unknown', discard: 'vendor-unknown' }],
    ['ios', { channel: 'ios', discard: 'platform-unsupported' }],
    ['own', { channel: 'own', profile: '' }],
  ])('%s', (bucket, route) => {
    expect(routeOf(bucket, HYBRID)).toEqual(route);
  });
});

describe('routeOf with hybrid off', () => {
  const rules = { ...HYBRID, hybrid: false };

  it.each(['hms/_default', 'mi/other', 'retired:hms', 'unregistered', 'unknown', 'own'])(
    '%s is served by own',
    (bucket) => {
      expect(routeOf(bucket, rules)).toEqual({ channel: 'own', profile: '' });
    },
  );

  it('ios stays unsupported', () => {
    expect(routeOf('ios', rules)).toEqual({ channel: 'ios', discard: 'platform-unsupported' });
  });
});

it('a fleet without the own channel says so instead of falling back', () => {
  const rules = { ...HYBRID, available: new Set(['hms']) };
  expect(routeOf('own', rules)).toEqual({ channel: 'own', discard: 'channel-unavailable' });
  expect(routeOf('hms/_default', { ...rules, hybrid: false })).toEqual({
    channel: 'own',
    discard: 'channel-unavailable',
  });
});
