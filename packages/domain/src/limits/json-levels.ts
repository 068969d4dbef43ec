import { overLimit } from './over-limit';
import { LIMITS } from './table';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENS = new Set([0x5b, 0x7b]);
const CLOSES = new Set([0x5d, 0x7d]);

/**
 * Whether lists and objects stand deeper than some levels in a JSON text, complete or not. Reads each character once and
 * stops at the first that is too deep, so that the parser never sees such a text.
 */
export function nestsDeeper(json: string | Uint8Array, levels: number): boolean {
  if (!opensMoreThan(json, levels)) return false;
  const codeAt = typeof json === 'string' ? (i: number) => json.charCodeAt(i) : (i: number) => json[i] ?? 0;
  let depth = 0;
  let isText = false;
  for (let i = 0; i < json.length; i += 1) {
    const code = codeAt(i);
    if (code === QUOTE) isText = !isText;
    else if (isText) i += code === BACKSLASH ? 1 : 0;
    else if (CLOSES.has(code)) depth -= 1;
    else if (OPENS.has(code) && (depth += 1) > levels) return true;
  }
  return false;
}

/** Nearly every text has fewer brackets than it may have levels, which the engine finds out much faster. */
function opensMoreThan(json: string | Uint8Array, count: number): boolean {
  let left = count;
  for (const bracket of ['[', '{'] as const) {
    const from = (start: number): number =>
      typeof json === 'string' ? json.indexOf(bracket, start) : json.indexOf(bracket.charCodeAt(0), start);
    for (let i = from(0); i >= 0; i = from(i + 1)) if ((left -= 1) < 0) return true;
  }
  return false;
}

/** The same for a value. */
export const valueNestsDeeper = (value: unknown, levels: number): boolean => levelsOf(value, levels) > levels;

/** Levels of a value, counted level by level, because a recursion would be as deep as the value; enough of them suffice. */
export function levelsOf(value: unknown, enough = Infinity): number {
  let depth = 0;
  for (let level = [value].filter(isContainer); level.length > 0 && depth <= enough; depth += 1)
    level = level.flatMap((container) => (Object.values(container) as readonly unknown[]).filter(isContainer));
  return depth;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Refuses a JSON body that nests too deep, before it is parsed. */
export function checkJsonLevels(
  json: string | Uint8Array,
  limit: 'jsonLevels' | 'batchJsonLevels' = 'jsonLevels',
): void {
  if (nestsDeeper(json, LIMITS[limit].value)) throw overLimit(limit, 'the body nests too deep:');
}

/** The same for a value of a query, and its length; it is named to the caller and has a code of its own. */
export function checkQueryJson(json: string, name: string, problem: 'invalid-query' | 'invalid-cql'): void {
  if (json.length > LIMITS.whereCharacters.value) throw overLimit('whereCharacters', `${name}: may have`, problem);
  if (nestsDeeper(json, LIMITS.jsonLevels.value)) throw overLimit('jsonLevels', `${name}: nested too deeply:`, problem);
}
