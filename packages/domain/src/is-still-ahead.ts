/**
 * Whether a time is still to come that lay at most so far ahead when it was set. One that is farther ahead was set before the
 * clock went back, and would last for as long as that.
 */
export const isStillAhead = (until: number, now: number, mostMs: number): boolean =>
  until > now && until <= now + mostMs;
