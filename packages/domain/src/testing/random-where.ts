import type { Json, JsonObject } from '../json';
import { seededRandom } from './seeded-random';

/** What `seededRandom` draws, and lists of it. */
export function randomFrom(seed: number) {
  const random = seededRandom(seed);
  const list = <T>(most: number, make: () => T): T[] => Array.from({ length: random.below(most + 1) }, make);
  return { ...random, list };
}

export type Random = ReturnType<typeof randomFrom>;

const DATES = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-02', '2026-01-02T01:00:00+01:00'];
export const TYPED: readonly JsonObject[] = [
  ...DATES.map((iso) => ({ __type: 'Date', iso })),
  { __type: 'Pointer', className: 'A', objectId: 'x' },
  { __type: 'Pointer', className: 'A', objectId: 'y' },
  { __type: 'Pointer', className: 'B', objectId: 'x' },
  { __type: 'GeoPoint', latitude: 1, longitude: 2 },
  { __type: 'GeoPoint', latitude: 1.001, longitude: 2 },
  { __type: 'GeoPoint', latitude: -17, longitude: 179 },
  { __type: 'GeoPoint', latitude: -17, longitude: -179 },
  { __type: 'Bytes', base64: 'AQ==' },
  { __type: 'Bytes', base64: 'Ag==' },
  { __type: 'File', id: 'f' },
  { __type: 'File', id: 'f', name: 'n' },
  ...['d0', 'd1'].map((objectId) => ({ __type: 'Pointer', className: '_Installation', objectId })),
];
export const SCALARS: readonly Json[] = [
  0,
  1,
  2,
  -1,
  1.5,
  '',
  'a',
  'b',
  'ab',
  'A',
  '1',
  'a.b',
  'A\nb',
  'd1',
  true,
  false,
  null,
];
/** Of documents that sub-queries may find. */
export const IDS = ['d0', 'd1', 'd2'];
const KEYS = ['a', 'b', 'c'];

function aValue(random: Random, depth = 2): Json {
  const kind = random.below(depth > 0 ? 12 : 8);
  if (kind < 6) return random.pick(SCALARS);
  if (kind < 8) return random.pick(TYPED);
  if (kind < 10) return random.list(3, () => aValue(random, depth - 1));
  return Object.fromEntries(random.list(2, () => [random.pick(KEYS), aValue(random, depth - 1)] as const));
}

export function aDocument(random: Random): JsonObject {
  const fields = random.list(4, () => [random.pick(KEYS), aValue(random, 3)] as const);
  const doc = Object.fromEntries(fields);
  return random.below(4) === 0 ? doc : { ...doc, createdAt: new Date(random.pick(DATES)).toISOString() };
}

const PATHS = ['a', 'b', 'c', 'a.a', 'a.b', 'b.a', 'c.b.a', 'a.0', 'b.1', 'a.0.b', 'a.iso', 'b.objectId'];
const PATTERNS = ['^\\Qa\\E', '\\Qb\\E$', '\\Qa.b\\E', 'A', '^$', '', '^b', 'A.b', '[ab]{2}', 'a|1'];
const OPTIONS = ['i', 's', 'm', 'im'];
const LIMITS = ['$maxDistance', '$maxDistanceInRadians', '$maxDistanceInMiles', '$maxDistanceInKilometers'];
const points = TYPED.filter((value) => value['__type'] === 'GeoPoint');

function aCondition(random: Random, depth: number): Json {
  const value = (): Json => aValue(random);
  const ordered = (): Json => random.pick([0, 1, 1.5, 'a', 'b', '', TYPED[0] as Json, TYPED[2] as Json]);
  const makers: readonly (() => JsonObject)[] = [
    () => ({ $ne: value() }),
    () => ({ [random.pick(['$lt', '$lte', '$gt', '$gte'])]: ordered() }),
    () => ({ $gte: ordered(), $lt: ordered() }),
    () => ({ [random.pick(['$in', '$nin', '$all'])]: random.list(3, value) }),
    () => ({ $exists: random.below(2) === 0 }),
    () => ({ $size: random.below(3) }),
    () => ({ $regex: random.pick(PATTERNS), ...(random.below(2) === 0 ? { $options: random.pick(OPTIONS) } : {}) }),
    () => ({ $nearSphere: random.pick(points), [random.pick(LIMITS)]: random.pick([0, 0.01, 1, 1000, 20000]) }),
    () => ({ $nearSphere: random.pick(points) }),
    () => ({ $within: { $box: [TYPED[9] as Json, TYPED[7] as Json] } }),
  ];
  if (depth > 0 && random.below(5) === 0) return aSubquery(random);
  return random.below(3) === 0 ? value() : random.pick(makers)();
}

function aSubquery(random: Random): JsonObject {
  const query = { className: '_Installation', where: aWhere(random, 0) };
  const keyed = { query, key: random.pick(['a', 'b', 'a.b', 'objectId']) };
  return random.pick<JsonObject>([
    { $inQuery: query },
    { $notInQuery: query },
    { $select: keyed },
    { $dontSelect: keyed },
  ]);
}

function aWhere(random: Random, depth = 2): JsonObject {
  const fields = random.list(2, () => [random.pick(PATHS), aCondition(random, depth)] as const);
  const branches = (): Json => [aWhere(random, depth - 1), ...random.list(1, () => aWhere(random, depth - 1))];
  const dates = { createdAt: { $gte: { __type: 'Date', iso: random.pick(DATES) } } };
  return {
    ...Object.fromEntries(fields),
    ...(random.below(5) === 0 ? dates : {}),
    ...(depth > 0 && random.below(3) === 0 ? { [random.pick(['$and', '$or'])]: branches() } : {}),
  };
}

/** One condition, or a list of which all must hold. */
export const anyWhere = (random: Random): JsonObject | readonly JsonObject[] =>
  random.below(5) === 0 ? [aWhere(random, 1), ...random.list(2, () => aWhere(random, 1))] : aWhere(random);
