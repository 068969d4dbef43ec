import { isJsonObject, type Json, type JsonObject } from '@pushfleet/domain';
import { SectionProblem } from './section';

/** The part of a section at `path`, empty when it is not given; refused when it is no object. */
export function objectAt(value: Json | undefined, path: string): JsonObject {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new SectionProblem(`${path}: must be an object`);
  return value;
}

export function requireHttps(url: Json | undefined, path: string): void {
  if (url === undefined || (typeof url === 'string' && url.startsWith('https://'))) return;
  throw new SectionProblem(`${path}: must be an https:// address, the vendor takes no other`);
}

export function requireFewer(list: Json | undefined, max: number, path: string): void {
  if (Array.isArray(list) && list.length > max) throw new SectionProblem(`${path}: at most ${max}`);
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Lays `over` upon `base`, object by object; what stands under a key of `whole` replaces the other one. Runs several times for
 * every call of a vendor: no entries, and no copy where nothing is laid.
 */
export function layOver(base: JsonObject, over: JsonObject, whole = NOTHING): JsonObject {
  const keys = Object.keys(over);
  if (keys.length === 0) return base;
  const merged: Record<string, Json> = { ...base };
  for (const key of keys) {
    const value = over[key] as Json;
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    const isWhole = whole.has(key) || !isJsonObject(value) || !isJsonObject(below);
    put(merged, key, isWhole ? value : layOver(below, value, whole));
  }
  return merged;
}

/** A key of a sender may have the name by which an object is given another prototype. */
function put(object: Record<string, Json>, key: string, value: Json): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Fields of which a tap of this type needs one: 1 opens a page, 2 an address, 3 the app itself. */
const INTENT = ['intent', 'action'];
const COMPANIONS: ReadonlyMap<Json, readonly string[]> = new Map<Json, readonly string[]>([
  ...[1, '1'].map((type) => [type, INTENT] as const),
  ...[2, '2'].map((type) => [type, ['url']] as const),
]);

/** Refuses a tap that lacks what its type needs; `name` is the vendor's word for it. */
export function checkTap(tap: JsonObject, name: string): void {
  const needed = COMPANIONS.get(tap['type'] ?? 1) ?? [];
  if (needed[0] === 'url') requireHttps(tap['url'] ?? '', `${name}.url`);
  if (needed.length === 0 || needed.some((field) => typeof tap[field] === 'string')) return;
  throw new SectionProblem(`${name}: needs ${needed.join(' or ')} for this type`);
}
