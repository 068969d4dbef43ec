import { isColumnName } from './column-name';
import { InvalidInput } from './invalid-input';
import { isJsonObject, type Json, type JsonObject } from './json';
import { LIMITS, overLimit } from './limits';
import { shown } from './where/refuse';

/** What a name in a save is of; `a.b.c` is a part of the column `a`. */
export interface ColumnPath {
  readonly column: string;
  /** From the column to the part; empty for the column itself. */
  readonly way: readonly string[];
}

export function columnPathOf(name: string): ColumnPath {
  const [column = '', ...way] = name.split('.');
  return { column, way };
}

const isPart = (key: string): boolean => key !== '' && !key.startsWith('$');

export function checkColumnPath(name: string, { column, way }: ColumnPath): void {
  if (name.length > LIMITS.fieldNameCharacters.value)
    throw overLimit('fieldNameCharacters', `${shown(name)}: the name of a field may have`);
  if (!isColumnName(column) || !way.every(isPart))
    throw new InvalidInput('key-name', `${name}: not a valid field name`);
}

/** Gives what becomes of a value; undefined or null where it is removed. */
type Change = (old: Json | undefined) => Json | undefined;

/** The value with one part changed; objects on the way are made where there are none. */
export function changePart(whole: Json | undefined, { column, way }: ColumnPath, change: Change): Json | undefined {
  const [key, ...rest] = way;
  if (key === undefined) return change(whole);
  const holder = holderOf(whole ?? {}, column);
  const old = Object.hasOwn(holder, key) ? holder[key] : undefined;
  const part = changePart(old, { column: `${column}.${key}`, way: rest }, change) ?? undefined;
  if (part !== undefined) return { ...holder, [key]: part };
  const { [key]: _, ...others } = holder;
  return whole === undefined ? undefined : others;
}

function holderOf(value: Json, name: string): JsonObject {
  if (!isJsonObject(value)) throw new InvalidInput('wrong-type', `${name}: is not an object, and has no parts`);
  return value;
}
