import { isJsonObject, type Json, type JsonObject } from '../json';
import { LIMITS } from './table';

/** `JSON.stringify` recurses: it is given nothing that could exhaust the stack, however deep the call stands already. */
const SAFE_LEVELS = 4 * LIMITS.jsonLevels.value;

/** A value as JSON, however deep it nests: some were stored before there was a limit. */
export const jsonText = (value: Json): string => (isDeeper(value, SAFE_LEVELS) ? textOfDeep(value) : writeJson(value));

/** Recurses no deeper than so many levels. */
function isDeeper(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const items = isJsonObject(value) ? Object.values(value) : value;
  return items.some((item) => isDeeper(item, levels - 1));
}

/** As `JSON.stringify`, but a `bigint` is written digit by digit. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Only a bigint makes it throw: nothing of ours refers to itself.
    if (!(error instanceof TypeError)) throw error;
    return textOfDeep(value as Json);
  }
}

/** A piece of the text, or a value whose text is not there yet. */
type Piece = string | { readonly value: Json };

function textOfDeep(value: Json): string {
  const done: string[] = [];
  const todo: Piece[] = [{ value }];
  for (let piece = todo.pop(); piece !== undefined; piece = todo.pop()) {
    if (typeof piece === 'string') done.push(piece);
    else if (typeof piece.value === 'object' && piece.value !== null) todo.push(...piecesOf(piece.value).reverse());
    else done.push(typeof piece.value === 'bigint' ? String(piece.value) : JSON.stringify(piece.value));
  }
  return done.join('');
}

function piecesOf(container: readonly Json[] | JsonObject): Piece[] {
  if (!isJsonObject(container)) return ['[', ...separated(container.map((value) => [{ value }])), ']'];
  const members = Object.entries(container).filter(([, value]) => value !== undefined);
  return ['{', ...separated(members.map(([key, value]) => [`${JSON.stringify(key)}:`, { value }])), '}'];
}

const separated = (members: readonly (readonly Piece[])[]): readonly Piece[] =>
  members.flatMap((member, i) => (i === 0 ? member : [',', ...member]));

/** The value with null in the place of every list and object that stands deeper than some levels. */
export function withoutDeeper(value: Json, levels: number): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (!isJsonObject(value)) return value.map((item) => withoutDeeper(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutDeeper(item, levels - 1)]));
}
