import { fatesOf, traitsOf, type JsonObject } from '@pushfleet/domain';
import { reachOf, type Reach } from './reach';

const RULES = {
  fateOf: fatesOf({
    ...{ hybrid: true, profiles: new Set(['hms/_default']) },
    channels: traitsOf([{ name: 'hms', capabilities: { passThrough: true } }]),
  }),
  vendors: new Map([['HMS', 'hms']]),
  staleBefore: 0,
};

const device = (columns: JsonObject): JsonObject => ({
  ...{ deviceType: 'android', registrationId: 'r', updatedAt: '2026-11-27T12:00:00.000Z' },
  ...columns,
});
const ofBrands = (from: number, to: number): readonly JsonObject[] =>
  Array.from({ length: to - from }, (_, i) => device({ vendor: `brand${from + i}` }));

const othersIn = (reach: readonly Reach[]): readonly Reach[] => reach.filter(({ vendor }) => vendor === 'others');

it('beyond 100 kinds counts the others by why they are not reached', () => {
  const kinds = new Map<string, Reach>();
  expect(reachOf(ofBrands(0, 100), RULES, kinds)).toHaveLength(100);
  const rest = [device({ vendor: 'HMS' }), device({ vendor: 'HMS', deviceProfile: 'game' }), device({ valid: false })];
  const reach = reachOf([...rest, ...ofBrands(99, 102)], RULES, kinds);
  expect(othersIn(reach)).toEqual([
    { vendor: 'others', count: 1 },
    { vendor: 'others', reason: 'profile-missing', count: 1 },
    { vendor: 'others', reason: 'not-valid', count: 1 },
    { vendor: 'others', reason: 'vendor-unknown', count: 2 },
  ]);
  expect(reach.reduce((sum, { count }) => sum + count, 0)).toBe(106);
});

it('a vendor that calls itself so is one of the others', () => {
  const reach = reachOf([device({ vendor: 'others' }), ...ofBrands(0, 101)], RULES);
  expect(othersIn(reach)).toEqual([{ vendor: 'others', reason: 'vendor-unknown', count: 3 }]);
});
