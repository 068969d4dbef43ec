import { isJsonObject } from '@pushfleet/domain';

/** What the text says; undefined where it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The object that the text stands for; undefined where it stands for none. */
export function readJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = readJson(text);
  return isJsonObject(value) ? value : undefined;
}
