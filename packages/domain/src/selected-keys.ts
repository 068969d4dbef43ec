import { isJsonObject, type Json, type JsonObject } from './json';
import { LIMITS, overLimit } from './limits';

/** Names of fields, with commas in between; one behind a minus sign is left out. */
export function parseKeys(text: string): readonly string[] {
  if (text.length > LIMITS.keysCharacters.value) throw overLimit('keysCharacters', 'keys: may have');
  const names = text.split(',').map((key) => key.trim());
  return checkKeys(names.filter((key) => key !== '' && key !== '-'));
}

export function checkKeys(keys: readonly string[]): readonly string[] {
  if (keys.length > LIMITS.keys.value) throw overLimit('keys', 'keys: may have');
  return keys;
}

const ALWAYS = ['objectId', 'createdAt', 'updatedAt'];

/**
 * Reduces documents to some keys: `a,b.c` keeps these and what identifies the document, `-a` leaves one out. What it does
 * to a document is done in one pass, however many keys there are.
 */
export function selectorOf(keys: readonly string[]): (doc: JsonObject) => JsonObject {
  const isExcluded = (key: string): boolean => key.startsWith('-');
  const excluded = treeOf(keys.filter(isExcluded).map((key) => key.slice(1)));
  const names = keys.filter((key) => !isExcluded(key));
  const included = names.length === 0 ? undefined : treeOf([...ALWAYS, ...names]);
  return (doc) => {
    const kept = included ? only(doc, included) : doc;
    return excluded.parts.size === 0 ? kept : without(kept, excluded);
  };
}

/** Paths that begin alike share their beginning. */
interface Tree {
  /** A path ends here: the value is meant as a whole. */
  isWhole: boolean;
  readonly parts: Map<string, Tree>;
}

const leaf = (): Tree => ({ isWhole: false, parts: new Map() });

function treeOf(paths: readonly string[]): Tree {
  const root = leaf();
  for (const path of paths) {
    let at = root;
    for (const key of path.split('.')) {
      const next = at.parts.get(key) ?? leaf();
      at.parts.set(key, next);
      at = next;
    }
    at.isWhole = true;
  }
  return root;
}

function only(doc: JsonObject, { parts }: Tree): JsonObject {
  const kept: (readonly [string, Json])[] = [];
  for (const [key, part] of parts) {
    const value = Object.hasOwn(doc, key) ? doc[key] : undefined;
    if (value === undefined) continue;
    if (part.isWhole) kept.push([key, value]);
    else if (isJsonObject(value)) kept.push([key, only(value, part)]);
  }
  return Object.fromEntries(kept);
}

function without(doc: JsonObject, { parts }: Tree): JsonObject {
  const kept = Object.entries(doc).flatMap(([key, value]): (readonly [string, Json])[] => {
    const part = parts.get(key);
    if (part?.isWhole === true) return [];
    return [[key, part && isJsonObject(value) ? without(value, part) : value]];
  });
  return Object.fromEntries(kept);
}
