import { isJsonObject, type Json } from '../json';
import { instantOf, isDate } from './typed-values';

/**
 * The text under which an index of a column keeps a value: the same for all values that equality calls the same. Undefined for
 * what no index holds: null, which equals what is missing, lists, objects and places.
 */
export function indexTextOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `n${value}`;
  if (typeof value === 'boolean') return `b${value}`;
  if (!isJsonObject(value)) return undefined;
  if (isDate(value)) return textOfInstant(instantOf(value));
  const { __type: type, className, objectId } = value;
  const isPointer = type === 'Pointer' && typeof className === 'string' && typeof objectId === 'string';
  return isPointer ? `p${className}/${objectId}` : undefined;
}

const textOfInstant = (ms: number): string | undefined => (Number.isNaN(ms) ? undefined : `d${ms}`);

/** The texts of a stored value, each once: equality with a list holds for any of its items. */
export function indexTextsOf(value: Json | undefined): readonly string[] {
  const values = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return [...new Set(values.map(indexTextOf).filter((text) => text !== undefined))];
}
