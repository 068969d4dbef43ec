import type { PushWarning } from './push-warnings';

/** Bodies are small; a longer or later name is nobody's slip. */
export const MOST_NAMES = 50;
const MOST_CHARACTERS = 40;
const LEAST_CHARACTERS = 4;
/** A name so short is near to everything. */
const SHORT = 5;

/** Of keys that nobody reads those that are close to one that is read: a push to `chanels` would be a push to everybody. */
export function misspelledKeys(unread: readonly string[], known: readonly string[]): readonly PushWarning[] {
  const slips = unread.filter(({ length }) => length <= MOST_CHARACTERS);
  return slips.slice(0, MOST_NAMES).flatMap((path) => {
    const near =
      known.find((name) => name.toLowerCase() === path.toLowerCase()) ??
      known.find((name) => path.length >= LEAST_CHARACTERS && isNear(path, name));
    return near === undefined ? [] : [{ path, message: `is not read; ${near} is the parameter of a similar name` }];
  });
}

/** At most two slips apart, one in a short name; capitals and separators are none. */
function isNear(given: string, name: string): boolean {
  const [a, b] = [plain(given), plain(name)];
  return slipsBetween(a, b) <= (Math.min(a.length, b.length) <= SHORT ? 1 : 2);
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Characters to put in, leave out or replace. */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (character === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
