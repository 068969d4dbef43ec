/** A value as it stands in a JSON document; an integer beyond ±2^53 is a `bigint`. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** What the text says, every number as a double; undefined where it is not JSON. */
export function plainJsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
