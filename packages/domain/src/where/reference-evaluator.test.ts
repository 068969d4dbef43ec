import { InvalidInput } from '../invalid-input';
import type { Json, JsonObject } from '../json';
import { compileWhere, parseWhere } from '.';

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed: number) {
  let state = seed;
  const below = (n: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const list = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);
  return { below, pick, list };
}

type Random = ReturnType<typeof randomFrom>;

const SEED = Number(process.env['WHERE_SEED'] ?? Date.now() % 1_000_000_000);

const DATES = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-02', '2026-01-02T01:00:00+01:00'];
const TYPED: readonly JsonObject[] = [
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
];
const SCALARS: readonly Json[] = [0, 1, 2, -1, 1.5, '', 'a', 'b', 'ab', 'A', '1', 'a.b', true, false, null];
const KEYS = ['a', 'b', 'c'];

function aValue(random: Random, depth = 2): Json {
  const kind = random.below(depth > 0 ? 12 : 8);
  if (kind < 6) return random.pick(SCALARS);
  if (kind < 8) return random.pick(TYPED);
  if (kind < 10) return random.list(3, () => aValue(random, depth - 1));
  return Object.fromEntries(random.list(2, () => [random.pick(KEYS), aValue(random, depth - 1)] as const));
}

function aDocument(random: Random): JsonObject {
  const fields = random.list(4, () => [random.pick(KEYS), aValue(random, 3)] as const);
  const doc = Object.fromEntries(fields);
  return random.below(4) === 0 ? doc : { ...doc, createdAt: new Date(random.pick(DATES)).toISOString() };
}

const PATHS = ['a', 'b', 'c', 'a.a', 'a.b', 'b.a', 'c.b.a', 'a.0', 'b.1', 'a.0.b', 'a.iso', 'b.objectId'];
const PATTERNS = ['^\\Qa\\E', '\\Qb\\E$', '\\Qa.b\\E', 'A', '^$', '', '[ab]{2}', 'a|1'];
const points = TYPED.filter((value) => value['__type'] === 'GeoPoint');

function aCondition(random: Random): Json {
  const value = (): Json => aValue(random);
  const ordered = (): Json => random.pick([0, 1, 1.5, 'a', 'b', '', TYPED[0] as Json, TYPED[2] as Json]);
  const makers: readonly (() => JsonObject)[] = [
    () => ({ $ne: value() }),
    () => ({ [random.pick(['$lt', '$lte', '$gt', '$gte'])]: ordered() }),
    () => ({ $gte: ordered(), $lt: ordered() }),
    () => ({ [random.pick(['$in', '$nin', '$all'])]: random.list(3, value) }),
    () => ({ $exists: random.below(2) === 0 }),
    () => ({ $size: random.below(3) }),
    () => ({ $regex: random.pick(PATTERNS), ...(random.below(2) === 0 ? { $options: 'i' } : {}) }),
    () => ({ $nearSphere: random.pick(points), $maxDistanceInKilometers: random.pick([0, 1, 1000, 20000]) }),
    () => ({ $nearSphere: random.pick(points) }),
    () => ({ $within: { $box: [TYPED[9] as Json, TYPED[7] as Json] } }),
  ];
  return random.below(3) === 0 ? value() : random.pick(makers)();
}

function aWhere(random: Random, depth = 2): JsonObject {
  const fields = random.list(2, () => [random.pick(PATHS), aCondition(random)] as const);
  const branches = (): Json => [aWhere(random, depth - 1), ...random.list(1, () => aWhere(random, depth - 1))];
  const dates = { createdAt: { $gte: { __type: 'Date', iso: random.pick(DATES) } } };
  return {
    ...Object.fromEntries(fields),
    ...(random.below(5) === 0 ? dates : {}),
    ...(depth > 0 && random.below(3) === 0 ? { [random.pick(['$and', '$or'])]: branches() } : {}),
  };
}

/**
 * The same language, interpreted plainly: every path becomes the list of the values that it leads to, with undefined
 * for one that is missing.
 */
function interpret(where: JsonObject, doc: JsonObject): boolean {
  return Object.entries(where).every(([key, condition]) => {
    if (key === '$and') return (condition as JsonObject[]).every((branch) => interpret(branch, doc));
    if (key === '$or') return (condition as JsonObject[]).some((branch) => interpret(branch, doc));
    const isStamp = key === 'createdAt';
    const found = follow(doc, key.split('.')).map((value) =>
      isStamp && value ? { __type: 'Date', iso: value } : value,
    );
    const operators = condition !== null && typeof condition === 'object' ? Object.entries(condition) : [];
    if (!operators.some(([name]) => name.startsWith('$'))) return found.some((value) => contains(value, condition));
    return operators.every(([name, operand]) => RULES[name]?.(found, operand as Json, condition as JsonObject) ?? true);
  });
}

type Found = Json | undefined;

function follow(value: Found, [key, ...rest]: readonly string[]): Found[] {
  if (key === undefined) return [value];
  if (Array.isArray(value)) {
    if (/^\d+$/.test(key)) return follow(value[Number(key)] as Found, rest);
    const objects = value.filter((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
    return objects.flatMap((item) => follow(item as Json, [key, ...rest]));
  }
  return follow(value && typeof value === 'object' ? (value as JsonObject)[key] : undefined, rest);
}

const spread = (value: Found): Found[] => (Array.isArray(value) ? [value as Json, ...(value as Json[])] : [value]);
const contains = (value: Found, wanted: Json): boolean => spread(value).some((item) => canon(item) === canon(wanted));

/** One text for all that counts as equal. */
function canon(value: Found): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonInside(item as Json)).join()}]`;
  const { __type: type, ...rest } = value as Record<string, Json>;
  if (type === 'Date') return `date ${new Date(String(rest['iso'])).getTime()}`;
  if (type === 'Pointer') return `pointer ${JSON.stringify([rest['className'], rest['objectId']])}`;
  if (type === 'File') return `file ${JSON.stringify(rest['id'])}`;
  const entries = Object.entries({ ...rest, ...(type === undefined ? {} : { __type: type }) });
  return `{${entries
    .map(([key, item]) => `${key}:${canonInside(item)}`)
    .sort()
    .join()}}`;
}
const canonInside = (value: Json): string => canon(value);

function rank(value: Found): readonly [string, number | string] | undefined {
  if (typeof value === 'number' || typeof value === 'string') return [typeof value, value];
  const isDate = typeof value === 'object' && value !== null && (value as JsonObject)['__type'] === 'Date';
  return isDate ? ['date', new Date(String((value as JsonObject)['iso'])).getTime()] : undefined;
}

function compare(value: Found, operand: Json): number {
  const [a, b] = [rank(value), rank(operand)];
  if (!a || !b || a[0] !== b[0]) return NaN;
  return a[1] === b[1] ? 0 : a[1] > b[1] ? 1 : -1;
}

type Rule = (found: readonly Found[], operand: Json, condition: JsonObject) => boolean;

const equal: Rule = (found, operand) => found.some((value) => contains(value, operand));
const oneOf: Rule = (found, operand) => (operand as Json[]).some((wanted) => equal(found, wanted, {}));
const anyItem =
  (test: (value: Found, operand: Json, condition: JsonObject) => boolean): Rule =>
  (found, operand, condition) =>
    found.flatMap(spread).some((value) => test(value, operand, condition));

const RULES: Readonly<Record<string, Rule>> = {
  $ne: (found, operand) => !equal(found, operand, {}),
  $in: oneOf,
  $nin: (found, operand) => !oneOf(found, operand, {}),
  $all: (found, operand) =>
    (operand as Json[]).length > 0 && (operand as Json[]).every((wanted) => equal(found, wanted, {})),
  $lt: anyItem((value, operand) => compare(value, operand) < 0),
  $lte: anyItem((value, operand) => compare(value, operand) <= 0),
  $gt: anyItem((value, operand) => compare(value, operand) > 0),
  $gte: anyItem((value, operand) => compare(value, operand) >= 0),
  $exists: (found, operand) => found.some((value) => value !== undefined) === operand,
  $size: (found, operand) => found.some((value) => Array.isArray(value) && value.length === operand),
  $regex: anyItem((value, operand, condition) => {
    const plain = String(operand).replace(/\\Q(.*?)\\E/g, (_, text: string) => text.replace(/\./g, '\\.'));
    return typeof value === 'string' && new RegExp(plain, String(condition['$options'] ?? '')).test(value);
  }),
  $nearSphere: anyItem((value, operand, condition) => {
    const limit = Number(condition['$maxDistanceInKilometers'] ?? Infinity);
    return kilometres(value, operand) <= limit;
  }),
  $within: anyItem((value, operand) => {
    const [low, high] = (operand as { $box: [JsonObject, JsonObject] }).$box;
    return isInside(value, low, high);
  }),
};

const placeOf = (value: Found): readonly [number, number] | undefined => {
  const place = typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  return place['__type'] === 'GeoPoint' ? [Number(place['latitude']), Number(place['longitude'])] : undefined;
};

/** By the angle between two vectors, which is another formula than the one under test. */
function kilometres(value: Found, operand: Json): number {
  const [a, b] = [placeOf(value), placeOf(operand)];
  if (!a || !b) return NaN;
  if (a[0] === b[0] && a[1] === b[1]) return 0;
  const [[x1, y1, z1], [x2, y2, z2]] = [vector(a), vector(b)];
  const cross = Math.hypot(y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2);
  return Math.atan2(cross, x1 * x2 + y1 * y2 + z1 * z2) * 6371;
}

function vector([latitude, longitude]: readonly [number, number]): readonly [number, number, number] {
  const [north, east] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
}

function isInside(value: Found, low: JsonObject, high: JsonObject): boolean {
  const place = placeOf(value);
  if (!place) return false;
  const [latitude, longitude] = place;
  const isBetween = latitude >= Number(low['latitude']) && latitude <= Number(high['latitude']);
  const [west, east] = [Number(low['longitude']), Number(high['longitude'])];
  const span = (((east - west) % 360) + 360) % 360;
  return isBetween && (((longitude - west) % 360) + 360) % 360 <= span;
}

test(`random conditions mean the same to a plain interpreter (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  let held = 0;
  for (let round = 0; round < 4000; round += 1) {
    const where = aWhere(random);
    const matches = compileWhere(parseWhere(where));
    for (let i = 0; i < 5; i += 1) {
      const doc = aDocument(random);
      const expected = interpret(where, doc);
      held += Number(expected);
      if (matches(doc) !== expected) throw new Error(`${JSON.stringify({ seed: SEED, where, doc, expected })}`);
    }
  }
  expect(held).toBeGreaterThan(2000);
  expect(held).toBeLessThan(18_000);
});

test(`random JSON is understood or refused, and never breaks anything (seed ${SEED})`, () => {
  const random = randomFrom(SEED + 1);
  const keys = ['a', 'a.b', 'createdAt', 'deviceProfile', '__type', '__proto__', 'constructor', '', '$', 'className'];
  const operators = `$and $or $nor $not $ne $lt $lte $gt $gte $in $nin $all $exists $size $regex $options $inQuery $notInQuery
    $select $dontSelect $nearSphere $maxDistance $maxDistanceInMiles $within $box $relatedTo $where where query key iso`;
  const names = [...keys, ...operators.split(/\s+/)];
  const values: readonly Json[] = [
    ...SCALARS,
    ...TYPED,
    'imx',
    '(',
    '[',
    '\\',
    '_Installation',
    'Date',
    'Pointer',
    1e308,
  ];
  const anything = (depth: number): Json => {
    if (depth === 0 || random.below(4) === 0) return random.pick(values);
    if (random.below(4) === 0) return random.list(3, () => anything(depth - 1));
    // Parsed, so that `__proto__` is a key like any other.
    const entries = random.list(
      3,
      () => `${JSON.stringify(random.pick(names))}:${JSON.stringify(anything(depth - 1))}`,
    );
    return JSON.parse(`{${entries.join()}}`) as JsonObject;
  };
  const outcomes = { understood: 0, refused: 0 };
  for (let round = 0; round < 20_000; round += 1) {
    const where = anything(5);
    try {
      compileWhere(parseWhere(where));
      outcomes.understood += 1;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw new Error(JSON.stringify({ seed: SEED, where }), { cause: error });
      outcomes.refused += 1;
    }
  }
  expect(outcomes.understood).toBeGreaterThan(200);
  expect(outcomes.refused).toBeGreaterThan(2000);
});

test.each([
  ['lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
  ['objects', (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)],
  ['conditions', (depth: number) => '{"$or":['.repeat(depth) + '{}' + ']}'.repeat(depth)],
  ['groups', (depth: number) => JSON.stringify({ a: { $regex: '('.repeat(Math.min(depth, 1000)) } })],
])('%s in each other, however deep, are refused', (_, nested) => {
  for (const depth of [100, 5000, 100_000]) expect(() => parseWhere(JSON.parse(nested(depth)))).toThrow(InvalidInput);
});
