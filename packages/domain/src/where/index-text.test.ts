import type { Json } from '../json';
import { compileWhere } from './compile';
import { indexTextOf, indexTextsOf } from './index-text';

const VALUES: readonly Json[] = [
  ...['', 'a', 'A', '1', 'true', 'null', 'sa', '中', 1, 0, -0, 1.5, -1, 2 ** 53, 2n ** 60n, true, false, null],
  { __type: 'Pointer', className: '_User', objectId: 'a' },
  { __type: 'Pointer', className: '_User', objectId: 'b' },
  { __type: 'Pointer', className: 'Team', objectId: 'a' },
  { __type: 'Date', iso: '2026-11-22T00:00:00.000Z' },
  { __type: 'Date', iso: '2026-11-22T08:00:00.000+08:00' },
  { __type: 'GeoPoint', latitude: 1, longitude: 2 },
  { a: 1 },
  ...[[], ['a'], ['a', 1, 'a'], [['a']], [null, true]],
];

it.each(VALUES)('whatever equals %j has its text', (wanted) => {
  const text = indexTextOf(wanted);
  const matches = compileWhere({ field: wanted });
  for (const value of VALUES.filter((other) => matches({ field: other })))
    if (text !== undefined) expect([value, indexTextsOf(value)]).toEqual([value, expect.arrayContaining([text])]);
});

it.each<Json | undefined>([
  null,
  undefined,
  {},
  { a: 1 },
  [],
  ['a'],
  { __type: 'GeoPoint', latitude: 1, longitude: 2 },
])('no index holds %j', (value) => expect(indexTextOf(value)).toBeUndefined());

it('no index holds a pointer or a date that is none', () => {
  expect(indexTextOf({ __type: 'Pointer', className: 'a' })).toBeUndefined();
  expect(indexTextOf({ __type: 'Date', iso: 'soon' })).toBeUndefined();
});

it('values of other types have other texts, and a list has each of its own once', () => {
  expect(indexTextsOf(['1', 1, true, 'true', 1, null])).toEqual(['s1', 'n1', 'btrue', 'strue']);
});
