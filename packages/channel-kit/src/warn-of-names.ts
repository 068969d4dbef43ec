import type { PushWarning } from '@pushfleet/domain';

/** Of those that a vendor does not know. */
const MOST_NAMED = 5;

/** One warning for each of the first names in a section; `at` is where they stand. */
export const warnOfNames = (at: string, names: readonly string[], message: string): readonly PushWarning[] =>
  names.slice(0, MOST_NAMED).map((name) => ({ path: `${at}.${name}`, message }));
