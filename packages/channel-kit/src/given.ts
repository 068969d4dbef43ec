import type { Json, JsonObject } from '@pushfleet/domain';

/** The field with its value; nothing where there is none. */
export const given = (key: string, value: Json | undefined): JsonObject =>
  value === undefined ? {} : { [key]: value };
