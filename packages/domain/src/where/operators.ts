import { isJsonObject, type Json } from '../json';
import { LIMITS } from '../limits';
import { DISTANCE_LIMITS, distanceTo, isInBox, isPoint, toRadians } from './geo';
import { complain, instantAt, isPlainDate, listOf, valueOf, type Site } from './operand';
import { not, orItem, someAt, type Matcher, type Test } from './path';
import { readPattern } from './pattern';
import { refuse, shown } from './refuse';
import { readSubquery, SUBQUERY_OPERATORS } from './subqueries';
import { equalTo, instantOf } from './typed-values';
import { ValueIndex } from './value-index';

type Operator = (operand: Json, site: Site) => Matcher;

const holdsForSome = (site: Site, test: Test): Matcher => someAt(site.path, orItem(test));

export const equals: Operator = (operand, site) => holdsForSome(site, equalTo(valueOf(operand, site), instantAt(site)));

const indexOf = (operand: Json, site: Site): ValueIndex => new ValueIndex(listOf(operand, site), instantAt(site));

const isAnyOf: Operator = (operand, site) => {
  const values = indexOf(operand, site);
  return holdsForSome(site, (value) => values.placeOf(value) !== undefined);
};

/** Nothing is asked of a list that is empty, so nothing has it. */
const hasAll: Operator = (operand, site) => {
  const values = indexOf(operand, site);
  const found = new Set<number>();
  const findsAll = holdsForSome(site, (value) => {
    const place = values.placeOf(value);
    return place !== undefined && found.add(place).size === values.size;
  });
  return (doc) => {
    found.clear();
    return findsAll(doc);
  };
};

type Order = (a: number | bigint | string, b: number | bigint | string) => boolean;

/** Numbers and integers beyond them have one order. */
const kindOf = (value: Json | undefined): string => (typeof value === 'bigint' ? 'number' : typeof value);

/** Only values of one kind have an order: number, text or date. */
const compares =
  (inOrder: Order): Operator =>
  (operand, site) => {
    const limit = valueOf(operand, site);
    if (typeof limit === 'number' || typeof limit === 'bigint' || typeof limit === 'string') {
      const kind = kindOf(limit);
      return holdsForSome(site, (value) => kindOf(value) === kind && inOrder(value as typeof limit, limit));
    }
    const ms = instantOf(limit);
    if (Number.isNaN(ms)) return complain(site, 'needs a number, a string or a date');
    const instant = instantAt(site);
    return holdsForSome(site, (value) => inOrder(instant(value), ms));
  };

const exists: Operator = (operand, site) => {
  if (typeof operand !== 'boolean') return complain(site, 'needs a boolean');
  const isThere = someAt(site.path, (value) => value !== undefined);
  return operand ? isThere : not(isThere);
};

const hasSize: Operator = (operand, site) => {
  if (!Number.isInteger(operand) || Number(operand) < 0) return complain(site, 'needs a whole number');
  return someAt(site.path, (value) => Array.isArray(value) && value.length === operand);
};

/** A field with more text has no match: a hostile pattern costs microseconds for every character. */
const MAX_SEARCHED = LIMITS.searchedCharacters.value;

const matchesPattern: Operator = (operand, site) => {
  const options = site.condition['$options'] ?? '';
  if (typeof operand !== 'string' || typeof options !== 'string') return complain(site, 'needs strings');
  if (isPlainDate(site)) return complain(site, 'does not apply to a date');
  const text = readPattern(operand, options);
  if ('why' in text) return complain(site, text.why);
  // Before the engine sees it.
  site.budget.spend('patterns');
  site.budget.spend('Unicode classes and blocks of ranges in its patterns', text.wideRanges);
  const pattern = text.compile();
  if ('why' in pattern) return complain(site, pattern.why);
  site.budget.spend('steps in its patterns', pattern.size);
  let left = 0;
  const isFound = holdsForSome(site, (value) => {
    if (typeof value !== 'string') return false;
    left -= value.length;
    return left >= 0 && pattern.test(value);
  });
  return (doc) => {
    left = MAX_SEARCHED;
    return isFound(doc);
  };
};

const isNear: Operator = (operand, site) => {
  if (!isPoint(operand)) return complain(site, 'needs a GeoPoint');
  const limits = DISTANCE_LIMITS.filter((name) => site.condition[name] !== undefined);
  const [name] = limits;
  if (limits.length > 1) return complain(site, `takes one of ${limits.join(' and ')}`);
  const distance = distanceTo(operand);
  if (name === undefined) return holdsForSome(site, (value) => distance(value) >= 0);
  const limit = site.condition[name];
  if (typeof limit !== 'number' || limit < 0) return complain({ ...site, operator: name }, 'needs a distance');
  const radians = toRadians(name, limit);
  return holdsForSome(site, (value) => distance(value) <= radians);
};

const isWithin: Operator = (operand, site) => {
  const box = isJsonObject(operand) && Object.keys(operand).length === 1 ? operand['$box'] : undefined;
  const [southWest, northEast, ...more] = Array.isArray(box) ? (box as readonly Json[]) : [];
  if (!isPoint(southWest) || !isPoint(northEast) || more.length > 0)
    return complain(site, 'needs a $box of two GeoPoints');
  if (southWest.latitude > northEast.latitude) return complain(site, 'needs the south-west corner first');
  return holdsForSome(site, isInBox(southWest, northEast));
};

const asks: Operator = (operand, site) => {
  const subquery = readSubquery(operand, site);
  site.budget.spend('sub-queries');
  site.checkInner(subquery.where);
  return () => {
    throw new Error(`${site.field}: the sub-query was not resolved`);
  };
};

const OPERATORS: Readonly<Record<string, Operator>> = {
  $ne: (operand, site) => not(equals(operand, site)),
  $lt: compares((a, b) => a < b),
  $lte: compares((a, b) => a <= b),
  $gt: compares((a, b) => a > b),
  $gte: compares((a, b) => a >= b),
  $in: isAnyOf,
  $nin: (operand, site) => not(isAnyOf(operand, site)),
  $all: hasAll,
  $exists: exists,
  $size: hasSize,
  $regex: matchesPattern,
  $nearSphere: isNear,
  $within: isWithin,
  ...Object.fromEntries(SUBQUERY_OPERATORS.map((name) => [name, asks])),
};

/** Keys that refine the operator beside them. */
const REFINES: ReadonlyMap<string, string> = new Map([
  ['$options', '$regex'],
  ...DISTANCE_LIMITS.map((name) => [name, '$nearSphere'] as const),
]);

/** The matcher of one operator; undefined for a key that only refines another. */
export function applyOperator(operand: Json, site: Site): Matcher | undefined {
  const { operator, field, condition } = site;
  const refined = REFINES.get(operator);
  if (refined !== undefined && condition[refined] !== undefined) return undefined;
  if (refined !== undefined) return complain(site, `needs ${refined} beside it`);
  const apply = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (!apply) return refuse(`${field}: the operator ${shown(operator)} is not supported`);
  return apply(operand, site);
}
