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
export type ChangePart = (whole: Json | undefined, path: ColumnPath, change: Change) => Json | undefined;

/**
 * For the parts that one save names. An object on the way is copied once and changed in place from then on: a copy for each of
 * thousands of names would take half a minute.
 */
export function openChangePart(): ChangePart {
  const copies = new WeakSet<JsonObject>();

  function copyOf(holder: JsonObject): JsonObject {
    if (copies.has(holder)) return holder;
    const copy = { ...holder };
    copies.add(copy);
    return copy;
  }

  const changePart: ChangePart = (whole, { column, way }, change) => {
    const [key, ...rest] = way;
    if (key === undefined) return change(whole);
    const holder = copyOf(holderOf(whole ?? {}, column));
    const old = Object.hasOwn(holder, key) ? holder[key] : undefined;
    const part = changePart(old, { column: `${column}.${key}`, way: rest }, change) ?? undefined;
    if (part !== undefined) return withPart(holder, key, part);
    Reflect.deleteProperty(holder, key);
    return whole === undefined ? undefined : holder;
  };
  return changePart;
}

/** Defined, as an assignment to `__proto__` would change what the object inherits. */
const withPart = (holder: JsonObject, key: string, value: Json): JsonObject =>
  Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });

function holderOf(value: Json, name: string): JsonObject {
  if (!isJsonObject(value)) throw new InvalidInput('wrong-type', `${name}: is not an object, and has no parts`);
  return value;
}
