import { InvalidInput } from './invalid-input';
import { isJsonObject, type Json, type JsonObject } from './json';

export interface OrderKey {
  readonly field: string;
  readonly isDescending: boolean;
}

const KEY = /^(-?)([A-Za-z_][\w.]{0,127})$/;

/** A comma-separated list of fields; a minus sign turns the order of one around. */
export function parseOrder(text: string): readonly OrderKey[] {
  return text.split(',').flatMap((part) => {
    const name = part.trim();
    if (name === '') return [];
    const [, minus, field] = KEY.exec(name) ?? [];
    if (field === undefined) throw new InvalidInput('invalid-query', `order: ${JSON.stringify(name)} is not a field`);
    return { field, isDescending: minus === '-' };
  });
}

export function comparatorOf(order: readonly OrderKey[]): (a: JsonObject, b: JsonObject) => number {
  const keys = order.map(({ field, isDescending }) => ({ path: field.split('.'), sign: isDescending ? -1 : 1 }));
  return (a, b) => {
    for (const { path, sign } of keys) {
      const compared = compareValues(valueAt(a, path), valueAt(b, path));
      if (compared !== 0) return sign * compared;
    }
    return 0;
  };
}

function valueAt(doc: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = doc;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** Values of different kinds are in the order of their kinds. */
const KINDS = ['undefined', 'number', 'string', 'object', 'boolean'];

function compareValues(a: Json | undefined, b: Json | undefined): number {
  const [x, y] = [sortable(a), sortable(b)];
  if (typeof x !== typeof y) return KINDS.indexOf(typeof x) - KINDS.indexOf(typeof y);
  return x === undefined || y === undefined || x === y ? 0 : x < y ? -1 : 1;
}

function sortable(value: Json | undefined): string | number | boolean | undefined {
  if (value === null || value === undefined) return undefined;
  if (isJsonObject(value) && typeof value['iso'] === 'string') return value['iso'];
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

const ALWAYS = ['objectId', 'createdAt', 'updatedAt'];

/**
 * Reduces documents to some keys: `a,b.c` keeps these and what identifies the document, `-a` leaves one out.
 */
export function selectorOf(keys: readonly string[]): (doc: JsonObject) => JsonObject {
  const excluded = keys.filter((key) => key.startsWith('-')).map((key) => key.slice(1).split('.'));
  const included = keys.filter((key) => !key.startsWith('-')).map((key) => key.split('.'));
  return (doc) => {
    const kept = included.length === 0 ? doc : merged(doc, [...ALWAYS.map((key) => [key]), ...included]);
    return excluded.reduce(without, kept);
  };
}

const merged = (doc: JsonObject, paths: readonly (readonly string[])[]): JsonObject =>
  paths.reduce<JsonObject>((kept, path) => withPath(kept, doc, path), {});

function withPath(kept: JsonObject, doc: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  const value = Object.hasOwn(doc, key) ? doc[key] : undefined;
  if (value === undefined) return kept;
  const known = kept[key];
  if (rest.length === 0) return { ...kept, [key]: value };
  return isJsonObject(value) ? { ...kept, [key]: withPath(isJsonObject(known) ? known : {}, value, rest) } : kept;
}

function without(doc: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  const value = doc[key];
  if (value === undefined) return doc;
  const { [key]: gone, ...others } = doc;
  return rest.length > 0 && isJsonObject(value)
    ? { ...doc, [key]: without(value, rest) }
    : rest.length > 0
      ? doc
      : others;
}
