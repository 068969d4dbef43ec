import { InvalidInput } from './invalid-input';
import { jsonText, LIMITS, overLimit } from './limits';
import { isJsonObject, type Json, type JsonObject } from './json';

export interface OrderKey {
  readonly field: string;
  readonly isDescending: boolean;
}

const KEY = /^(-?)([A-Za-z_][\w.]{0,127})$/;

/** A comma-separated list of fields; a minus sign turns the order of one around. */
export function parseOrder(text: string): readonly OrderKey[] {
  if (text.length > LIMITS.orderCharacters.value) throw overLimit('orderCharacters', 'order: may have');
  const names = text.split(',').map((part) => part.trim());
  const keys = names.flatMap((name) => {
    if (name === '') return [];
    const [, minus, field] = KEY.exec(name) ?? [];
    if (field === undefined) throw new InvalidInput('invalid-query', `order: ${JSON.stringify(name)} is not a field`);
    return { field, isDescending: minus === '-' };
  });
  return checkOrder(keys);
}

/** Only the first mention of a field decides anything. */
export function checkOrder(keys: readonly OrderKey[]): readonly OrderKey[] {
  if (keys.length > LIMITS.order.value) throw overLimit('order', 'order: may have');
  return keys.filter(({ field }, i) => keys.findIndex((key) => key.field === field) === i);
}

export function comparatorOf(order: readonly OrderKey[]): (a: JsonObject, b: JsonObject) => number {
  const keys = order.map(({ field, isDescending }) => ({ path: field.split('.'), sign: isDescending ? -1 : 1 }));
  // A document is compared many times, and what it is sorted by may be costly to make.
  const known = new WeakMap<JsonObject, (Sortable | typeof UNKNOWN)[]>();
  const sortableAt = (doc: JsonObject, i: number): Sortable => {
    const values = known.get(doc) ?? keys.map(() => UNKNOWN);
    known.set(doc, values);
    const value = values[i];
    return value === UNKNOWN ? (values[i] = sortable(valueAt(doc, keys[i]?.path ?? []))) : value;
  };
  return (a, b) => {
    for (const [i, { sign }] of keys.entries()) {
      const compared = compareValues(sortableAt(a, i), sortableAt(b, i));
      if (compared !== 0) return sign * compared;
    }
    return 0;
  };
}

type Sortable = string | number | bigint | boolean | undefined;

const UNKNOWN = Symbol('not looked at yet');

function valueAt(doc: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = doc;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** Values of different kinds are in the order of their kinds. */
const KINDS = ['undefined', 'number', 'string', 'object', 'boolean'];

const kindOf = (value: Sortable): number => KINDS.indexOf(typeof value === 'bigint' ? 'number' : typeof value);

function compareValues(x: Sortable, y: Sortable): number {
  if (kindOf(x) !== kindOf(y)) return kindOf(x) - kindOf(y);
  return x === undefined || y === undefined || x === y ? 0 : x < y ? -1 : 1;
}

function sortable(value: Json | undefined): Sortable {
  if (value === null || value === undefined) return undefined;
  if (isJsonObject(value) && typeof value['iso'] === 'string') return value['iso'];
  return typeof value === 'object' ? jsonText(value).slice(0, LIMITS.sortedCharacters.value) : value;
}
