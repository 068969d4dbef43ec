import { timingSafeEqual } from 'node:crypto';

/** Takes the same time for every guess of the right length; the length of a key is no secret. */
export function isSameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return timingSafeEqual(a.length === b.length ? a : b, b) && a.length === b.length;
}
