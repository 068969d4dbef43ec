import { bucketsFor } from './bucket-facts';
import type { JsonObject } from './json';
import { bucketOf } from './route';
import { compileWhere, parseWhere } from './where';

const VENDORS = new Map([
  ['HMS', 'hms'],
  ['mi', 'mi'],
]);
const BUCKETS = [
  'hms/_default',
  'hms/game',
  'hms/*',
  'mi/_default',
  'retired:hms',
  'unregistered',
  'unknown',
  'own',
  'ios',
];

const left = (where: JsonObject): readonly string[] => BUCKETS.filter(bucketsFor(parseWhere(where), VENDORS));

describe('the buckets that may hold a device', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    [
      'a vendor',
      { vendor: 'HMS' },
      ['hms/_default', 'hms/game', 'hms/*', 'retired:hms', 'unregistered', 'unknown', 'ios'],
    ],
    ['no vendor', { vendor: '' }, ['own', 'ios']],
    ['a vendor that nobody serves', { vendor: 'nokia' }, ['unregistered', 'unknown', 'ios']],
    ['a vendor on Android', { vendor: 'mi', deviceType: 'android' }, ['mi/_default', 'unregistered', 'unknown']],
    [
      'one of some vendors',
      { vendor: { $in: ['mi', 'lc'] }, deviceType: 'web' },
      ['mi/_default', 'unregistered', 'unknown', 'own'],
    ],
    ['iOS', { deviceType: 'ios' }, ['ios']],
    [
      'a profile',
      { vendor: 'HMS', deviceProfile: 'game', deviceType: 'android' },
      ['hms/game', 'hms/*', 'retired:hms', 'unregistered', 'unknown'],
    ],
    ['either of two', { $or: [{ deviceType: 'ios' }, { vendor: 'lc' }] }, ['own', 'ios']],
    [
      'both of two that exclude each other',
      { $and: [{ vendor: 'HMS' }, { vendor: 'mi' }], deviceType: 'android' },
      ['unregistered', 'unknown'],
    ],
    ['something else', { city: 'x' }, BUCKETS],
    ['any vendor but one', { vendor: { $ne: 'HMS' } }, BUCKETS],
    ['a vendor or none at all', { vendor: { $in: ['HMS', null] } }, BUCKETS],
  ])('with %s', (_, where, buckets) => {
    expect(left(where)).toEqual(buckets);
  });
});

describe('a device that meets a condition', () => {
  const vendors = [undefined, '', 'lc', 'HMS', 'mi', 'hms', 'nokia'];
  const deviceTypes = [undefined, 'android', 'ios', 'web'];
  const profiles = [undefined, '', '_default', 'game'];
  const devices = vendors.flatMap((vendor) =>
    deviceTypes.flatMap((deviceType) =>
      profiles.flatMap((deviceProfile) =>
        [undefined, 'r'].map(
          (registrationId) =>
            Object.fromEntries(
              Object.entries({
                vendor,
                deviceType,
                deviceProfile,
                registrationId,
              }).filter(([, v]) => v !== undefined),
            ) as JsonObject,
        ),
      ),
    ),
  );
  const conditions: readonly JsonObject[] = [
    ...vendors.map((vendor) => ({ vendor: vendor ?? null })),
    ...deviceTypes.map((deviceType) => ({ deviceType: deviceType ?? null })),
    ...profiles.map((deviceProfile) => ({
      deviceProfile: deviceProfile ?? null,
    })),
    { vendor: { $in: ['mi', ''] }, deviceType: { $ne: 'ios' } },
    { vendor: { $nin: ['mi'] }, deviceProfile: 'game' },
    { $or: [{ vendor: 'HMS', deviceProfile: 'game' }, { deviceType: 'web' }] },
    { $or: [{ vendor: 'HMS' }, { registrationId: 'r' }] },
    { vendor: { $exists: false }, deviceType: 'android' },
  ];

  it.each(conditions)('is in a bucket that is left: %j', (where) => {
    const matches = compileWhere(parseWhere(where));
    const isLeft = bucketsFor(parseWhere(where), VENDORS);
    const found = devices.filter(matches);
    for (const device of found)
      for (const isRetired of [false, true]) {
        const bucket = bucketOf(device, VENDORS, isRetired) ?? '';
        expect({ device, bucket, isLeft: isLeft(bucket) }).toMatchObject({
          isLeft: true,
        });
      }
    expect(found.length).toBeGreaterThan(0);
  });
});
