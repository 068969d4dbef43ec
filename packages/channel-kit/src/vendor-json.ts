import { isJsonObject, plainJsonIn } from '@pushfleet/domain';

/** What the text of a vendor says; undefined where it is not JSON. */
export const vendorJson = (text: string): unknown => plainJsonIn(text);

/** The object that the text stands for; undefined where it stands for none. */
export function vendorJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = vendorJson(text);
  return isJsonObject(value) ? value : undefined;
}
