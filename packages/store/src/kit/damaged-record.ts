import { isJsonObject, plainJsonIn, type JsonObject } from '@pushfleet/domain';
import { UnreadableSecret } from './sealed-text';

/** What a record says; undefined where it is damaged. */
export function recordIn(text: string): JsonObject | undefined {
  const value = plainJsonIn(text);
  return isJsonObject(value) ? value : undefined;
}

/** Records that were listed. */
export interface Readable<T> {
  readonly results: readonly T[];
  /** The names of those whose records are damaged. */
  readonly unreadable?: readonly string[];
}

/** What was read of some, by their names; null was deleted meanwhile. */
export function readableOf<T extends object>(
  found: readonly (readonly [name: string, text: string | null])[],
  decode: (text: string) => T | undefined,
): Readable<T> {
  const results: T[] = [];
  const unreadable: string[] = [];
  for (const [name, text] of found) {
    if (text === null) continue;
    const value = decode(text);
    if (value) results.push(value);
    else unreadable.push(name);
  }
  return { results, ...(unreadable.length > 0 ? { unreadable } : {}) };
}

/** Whoever needs the record waits until somebody puts it right. */
export const damagedRecord = (name: string): UnreadableSecret =>
  new UnreadableSecret(
    `the record of ${name} in Redis is damaged: put it back from a backup, or delete it and make it anew`,
  );
