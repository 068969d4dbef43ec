import { readJson } from '../exact-json';
import type { JsonObject } from '../json';
import { checkQueryJson } from '../limits';
import { parseWhere } from './compile';
import { refuse } from './refuse';

/** Reads the `where` of a query, which is text; throws `InvalidInput` as `parseWhere` does. */
export function readWhere(text: string): JsonObject {
  checkQueryJson(text, 'where', 'invalid-query');
  try {
    return parseWhere(readJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('is not valid JSON');
    throw error;
  }
}
