import { isJsonObject, type Json, type JsonObject } from '../json';
import { LIMITS, overLimit } from '../limits';
import { refuse, shown } from './refuse';

/** Whether a condition holds for a document. */
export type Matcher = (doc: JsonObject) => boolean;
/** Whether a condition holds for one value; undefined where the document has none. */
export type Test = (value: Json | undefined) => boolean;

const MAX_PATH = LIMITS.pathCharacters.value;

/** `a.b.c` as its keys; the first is the name of a field. */
export function readPath(path: string): readonly string[] {
  const keys = path.split('.');
  const isPath = /^[A-Za-z]\w*$/.test(keys[0] ?? '') && keys.every((key) => key !== '' && !key.startsWith('$'));
  if (path.length > MAX_PATH) throw overLimit('pathCharacters', 'where: the path to a field may have');
  if (!isPath) refuse(`${JSON.stringify(shown(path))} is not the name of a field`);
  return keys;
}

/**
 * Whether the test holds for some value that the path leads to. A path through a list leads to every object in it, or
 * with a number to that place.
 */
export function someAt(path: readonly string[], test: Test): Matcher {
  return path.reduceRight(through, test);
}

function through(next: Test, key: string): Test {
  const index = /^\d{1,9}$/.test(key) ? Number(key) : undefined;
  const own = key in Object.prototype ? ownValue : plainValue;
  const ofSome = (list: readonly Json[]): boolean => {
    for (const item of list) if (isJsonObject(item) && next(own(item, key))) return true;
    return false;
  };
  return (value) => {
    if (typeof value !== 'object' || value === null) return next(undefined);
    if (!Array.isArray(value)) return next(own(value as JsonObject, key));
    return index === undefined ? ofSome(value) : next((value as readonly Json[])[index]);
  };
}

const plainValue = (value: JsonObject, key: string): Json | undefined => value[key];
const ownValue = (value: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined;

/** The test for a value or, when it is a list, for it or any of its items. */
export const orItem =
  (test: Test): Test =>
  (value) => {
    if (test(value)) return true;
    if (!Array.isArray(value)) return false;
    for (const item of value as readonly Json[]) if (test(item)) return true;
    return false;
  };

export const not =
  (matcher: Matcher): Matcher =>
  (doc) =>
    !matcher(doc);

export function all(matchers: readonly Matcher[]): Matcher {
  const [first, second] = matchers;
  if (!first) return () => true;
  if (!second) return first;
  return (doc) => {
    for (const matches of matchers) if (!matches(doc)) return false;
    return true;
  };
}

export const any =
  (matchers: readonly Matcher[]): Matcher =>
  (doc) => {
    for (const matches of matchers) if (matches(doc)) return true;
    return false;
  };
