import { isJsonObject, plainJsonIn, type JsonObject } from '@pushfleet/domain';
import { UnreadableSecret } from './sealed-text';

/** What a record says; undefined where it is damaged. */
export function recordIn(text: string): JsonObject | undefined {
  const value = plainJsonIn(text);
  return isJsonObject(value) ? value : undefined;
}

/** Whoever needs the record waits until somebody puts it right. */
export const damagedRecord = (name: string): UnreadableSecret =>
  new UnreadableSecret(
    `the record of ${name} in Redis is damaged: put it back from a backup, or delete it and make it anew`,
  );
