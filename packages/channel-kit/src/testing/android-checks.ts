import { isFilledText, type Fields } from './wire-checks';

/** What vendors with one form of Android notification check alike. */
export const isHttps = (url: unknown): boolean => typeof url === 'string' && url.startsWith('https://');

/** A time as `2014-10-02T15:01:23.045123456Z`. */
export const isUtcTime = (time: unknown): boolean =>
  typeof time === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(time);

const isIntent = (intent: unknown): boolean =>
  typeof intent === 'string' && /^(intent:\/\/[^#]*)?#Intent;.*;end$/.test(intent);

/** A tap with what its type wants: 1 an intent or an action, 2 an address, the `bare` ones nothing. */
export function isTap(click: Fields | undefined, bare: readonly number[]): boolean {
  if (!click) return false;
  if (click['type'] === 1) return isFilledText(click['action']) || isIntent(click['intent']);
  if (click['type'] === 2) return isHttps(click['url']);
  return typeof click['type'] === 'number' && bare.includes(click['type']);
}
