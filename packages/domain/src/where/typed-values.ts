import { parseIsoDate } from '../iso-date';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { isPoint } from './geo';
import type { Test } from './path';

interface TypedValue {
  /** For a value that a caller compares with. */
  isValid(value: JsonObject): boolean;
  /** What makes it equal to another of its type: each part the same by `===`. */
  identityOf(value: JsonObject): readonly (Json | undefined)[];
}

const identifiedBy = (...keys: readonly string[]): TypedValue => ({
  isValid: (value) => keys.every((key) => typeof value[key] === 'string'),
  identityOf: (value) => keys.map((key) => value[key]),
});

/** Typed values of the 1.1 storage API, by their `__type`. */
const TYPED: Readonly<Record<string, TypedValue>> = {
  Date: {
    isValid: ({ iso }) => !Number.isNaN(parseIsoDate(iso)),
    identityOf: (value) => [instantOf(value)],
  },
  GeoPoint: {
    isValid: isPoint,
    identityOf: ({ latitude, longitude }) => [latitude, longitude],
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
  if (isDate(valid)) {
    const ms = instantOf(valid);
    return (value) => instant(value) === ms;
  }
  return sameAs(valid);
}

export const isDate = (value: Json): boolean => isJsonObject(value) && value['__type'] === 'Date';

/** Equality all the way down, whatever the order of keys; costs no more than the smaller of the two values. */
function sameAs(valid: Json): Test {
  if (isJsonObject(valid)) return sameAsObject(valid);
  if (!Array.isArray(valid)) return (value) => value === valid;
  const items = (valid as readonly Json[]).map(sameAs);
  return (value) => Array.isArray(value) && value.length === items.length && items.every((same, i) => same(value[i]));
}

function sameAsObject(valid: JsonObject): Test {
  const type = valid['__type'];
  const typed = typedValueOf(type);
  if (typed) {
    const identity = typed.identityOf(valid);
    return (value) =>
      isJsonObject(value) &&
      value['__type'] === type &&
      typed.identityOf(value).every((part, i) => part === identity[i]);
  }
  const members = Object.entries(valid).map(([key, value]) => [key, sameAs(value)] as const);
  return (value) =>
    isJsonObject(value) &&
    members.every(([key, same]) => Object.hasOwn(value, key) && same(value[key])) &&
    Object.keys(value).length === members.length;
}
