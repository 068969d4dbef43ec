import type { Json, JsonObject } from '../json';

/**
 * The same language, interpreted plainly: every path becomes the list of the values that it leads to, with undefined
 * for one that is missing.
 */
export function interpret(
  where: JsonObject | readonly JsonObject[],
  doc: JsonObject,
  pool: readonly JsonObject[] = [],
): boolean {
  if (Array.isArray(where)) return (where as JsonObject[]).every((each) => interpret(each, doc, pool));
  return Object.entries(where).every(([key, condition]) => {
    if (key === '$and') return (condition as JsonObject[]).every((branch) => interpret(branch, doc, pool));
    if (key === '$or') return (condition as JsonObject[]).some((branch) => interpret(branch, doc, pool));
    const isStamp = key === 'createdAt';
    const found = follow(doc, key.split('.')).map((value) =>
      isStamp && value ? { __type: 'Date', iso: value } : value,
    );
    const operators = condition !== null && typeof condition === 'object' ? Object.entries(condition) : [];
    if (!operators.some(([name]) => name.startsWith('$'))) return found.some((value) => contains(value, condition));
    return operators.every(([name, operand]) => {
      const asked = SUBQUERIES[name]?.(operand as JsonObject, pool);
      if (asked) return asked.isIn === found.some((value) => asked.values.some((wanted) => contains(value, wanted)));
      return RULES[name]?.(found, operand as Json, condition as JsonObject) ?? true;
    });
  });
}

interface Asked {
  readonly isIn: boolean;
  readonly values: readonly Json[];
}

type Ask = (operand: JsonObject, pool: readonly JsonObject[]) => Asked;

const pointers =
  (isIn: boolean): Ask =>
  ({ where }, pool) => ({
    isIn,
    values: pool
      .filter((doc) => interpret(where as JsonObject, doc, pool))
      .map(({ objectId = '' }) => ({ __type: 'Pointer', className: '_Installation', objectId })),
  });

const keyed =
  (isIn: boolean): Ask =>
  ({ query, key }, pool) => ({
    isIn,
    values: pool
      .filter((doc) => interpret((query as JsonObject)['where'] as JsonObject, doc, pool))
      .flatMap((doc) => {
        const value = String(key).split('.').reduce<Json | undefined>(stepInto, doc);
        return value === undefined || value === null ? [] : [value];
      }),
  });

const stepInto = (value: Json | undefined, key: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject)[key] : undefined;

const SUBQUERIES: Readonly<Record<string, Ask>> = {
  $inQuery: pointers(true),
  $notInQuery: pointers(false),
  $select: keyed(true),
  $dontSelect: keyed(false),
};

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
    const away = kilometres(value, operand);
    const limits = Object.entries(condition).flatMap(([name, limit]) => (KILOMETRES[name] ?? NaN) * Number(limit));
    return !Number.isNaN(away) && limits.every((limit) => Number.isNaN(limit) || away <= limit + 1e-9);
  }),
  $within: anyItem((value, operand) => {
    const [low, high] = (operand as { $box: [JsonObject, JsonObject] }).$box;
    return isInside(value, low, high);
  }),
};

const KILOMETRES: Readonly<Record<string, number>> = {
  $maxDistance: 6371,
  $maxDistanceInRadians: 6371,
  $maxDistanceInMiles: 6371 / 3958.8,
  $maxDistanceInKilometers: 1,
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
