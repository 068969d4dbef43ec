import { parseIsoDate } from '../iso-date';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { isPoint } from './geo';
import type { Test } from './path';

interface TypedValue {
  /** For a value that a caller compares with. */
  isValid(value: JsonObject): boolean;
  /** For two values of this type; the second is valid. */
  same(value: JsonObject, valid: JsonObject): boolean;
}

const identifiedBy = (...keys: readonly string[]): TypedValue => ({
  isValid: (value) => keys.every((key) => typeof value[key] === 'string'),
  same: (value, valid) => keys.every((key) => value[key] === valid[key]),
});

/** Typed values of the 1.1 storage API, by their `__type`. */
const TYPED: Readonly<Record<string, TypedValue>> = {
  Date: {
    isValid: (value) => !Number.isNaN(instantOf(value)),
    same: (value, valid) => instantOf(value) === instantOf(valid),
  },
  GeoPoint: {
    isValid: isPoint,
    same: (value, valid) => value['latitude'] === valid['latitude'] && value['longitude'] === valid['longitude'],
  },
  Pointer: identifiedBy('className', 'objectId'),
  Bytes: identifiedBy('base64'),
  File: identifiedBy('id'),
};

export const typedValueOf = (type: Json | undefined): TypedValue | undefined =>
  typeof type === 'string' && Object.hasOwn(TYPED, type) ? TYPED[type] : undefined;

/** The time of a stored value, in ms; NaN when it is not a date. */
export type InstantOf = (value: Json | undefined) => number;

export const instantOf: InstantOf = (value) =>
  isJsonObject(value) && value['__type'] === 'Date' ? instantOfText(value['iso']) : NaN;

/** For the fields that hold a date as plain text. */
export const plainInstantOf: InstantOf = (value) => (typeof value === 'string' ? instantOfText(value) : NaN);

/** Every stored date has the one form that `Date` itself reads as ISO 8601; the others take the slow way. */
function instantOfText(text: Json | undefined): number {
  if (typeof text !== 'string') return NaN;
  return text.length === 24 && text[10] === 'T' && text[23] === 'Z' ? Date.parse(text) : parseIsoDate(text);
}

/** Equality with one value; null equals what is missing. */
export function equalTo(valid: Json, instant: InstantOf): Test {
  if (valid === null) return (value) => value === null || value === undefined;
  if (typeof valid !== 'object') return (value) => value === valid;
  if (!Array.isArray(valid) && (valid as JsonObject)['__type'] === 'Date') {
    const ms = instantOf(valid);
    return (value) => instant(value) === ms;
  }
  return (value) => same(value, valid);
}

/** Equality all the way down, whatever the order of keys. */
function same(value: Json | undefined, valid: Json): boolean {
  if (value === valid) return true;
  if (isJsonObject(valid)) return isJsonObject(value) && sameObject(value, valid);
  if (!Array.isArray(valid) || !Array.isArray(value)) return false;
  const items = value as readonly Json[];
  return items.length === valid.length && (valid as readonly Json[]).every((item, i) => same(items[i], item));
}

function sameObject(value: JsonObject, valid: JsonObject): boolean {
  const typed = typedValueOf(valid['__type']);
  if (typed) return value['__type'] === valid['__type'] && typed.same(value, valid);
  const keys = Object.keys(valid);
  return (
    keys.length === Object.keys(value).length &&
    keys.every((key) => Object.hasOwn(value, key) && same(value[key], valid[key] ?? null))
  );
}

/** Equality with any of many values, looked up where that can be. */
export function equalToAny(values: readonly Json[], instant: InstantOf): Test {
  const plain = new Set<Json | undefined>();
  const pointers = new Map<Json | undefined, Set<Json | undefined>>();
  const others: Test[] = [];
  for (const value of values) {
    if (isJsonObject(value) && value['__type'] === 'Pointer') {
      const ids = pointers.get(value['className']) ?? new Set();
      pointers.set(value['className'], ids.add(value['objectId']));
    } else if (value === null || typeof value === 'object') others.push(equalTo(value, instant));
    else plain.add(value);
  }
  return (value) => {
    if (plain.has(value)) return true;
    if (pointers.size > 0 && isJsonObject(value) && value['__type'] === 'Pointer')
      return pointers.get(value['className'])?.has(value['objectId']) === true;
    for (const test of others) if (test(value)) return true;
    return false;
  };
}
