import { isJsonObject, type Json, type JsonObject } from './json';
import { MOST_NAMES } from './misspelled-keys';
import { allSubqueries } from './own-columns';
import type { PushWarning } from './push-warnings';
import { vendorOf } from './route';

/** Values of `vendor` in a parsed condition that no channel has: as names of channels, they match nobody and exclude nobody. */
export function vendorWarnings(where: JsonObject, vendors: ReadonlyMap<string, string>): readonly PushWarning[] {
  const asked = new Set([where, ...allSubqueries(where)].flatMap(vendorsIn));
  const unknown = [...asked].filter((value) => vendorOf({ vendor: value }) !== undefined && !vendors.has(value));
  return unknown.slice(0, MOST_NAMES).map((value) => ({ path: 'where.vendor', message: wordsFor(value, vendors) }));
}

const vendorsIn = (where: JsonObject): readonly string[] =>
  Object.entries(where).flatMap(([name, value]) => {
    if (name.startsWith('$')) return (value as readonly JsonObject[]).flatMap(vendorsIn);
    return name === 'vendor' ? valuesIn(value) : [];
  });

const LISTS = ['$in', '$nin', '$all'];

function valuesIn(condition: Json): readonly string[] {
  const { $ne: other = [], ...operators } = isJsonObject(condition) ? condition : { $in: [condition] };
  const lists = LISTS.map((name) => operators[name] ?? []);
  return [other, ...lists].flat().filter((value) => typeof value === 'string');
}

function wordsFor(value: string, vendors: ReadonlyMap<string, string>): string {
  const meant = [...vendors].find((names) => names.some((name) => name.toLowerCase() === value.toLowerCase()))?.[0];
  if (meant !== undefined) return `${value} is no vendor of a device; ${meant} is`;
  return `${value} is none of ${[...vendors.keys()].join(', ')}: there is no channel for it`;
}
