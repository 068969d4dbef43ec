import type { JsonObject } from '../json';
import { nearestFirst, parseWhere } from '.';

const point = (latitude: number, longitude: number): JsonObject => ({ __type: 'GeoPoint', latitude, longitude });
const docs: readonly JsonObject[] = [
  { id: 'nowhere' },
  { id: 'antipode', at: point(0, 180) },
  { id: 'far', at: point(50, 0) },
  { id: 'near', at: [point(80, 0), point(0, 1)] },
];
const near = { at: { $nearSphere: point(0, 0) } };

it.each<[JsonObject | readonly JsonObject[]]>([[near], [{ id: { $exists: true }, ...near }], [[{ id: 'x' }, near]]])(
  'documents stand in the order of their distance: %j',
  (where) => {
    const order = nearestFirst(parseWhere(where));
    expect([...docs].sort(order).map(({ id }) => id)).toEqual(['near', 'far', 'antipode', 'nowhere']);
  },
);

it.each<[JsonObject]>([[{}], [{ a: 1 }], [{ $or: [near] }], [{ a: { $nearSphere: 1 } }]])(
  '%j orders nothing',
  (where) => {
    expect(nearestFirst(where)).toBeUndefined();
  },
);
