import { randomInt } from 'node:crypto';

/** Numbers that another run repeats when it is given the same seed. */
export interface SeededRandom {
  readonly seed: number;
  /** A whole number from `min` to below `max`. */
  between(min: number, max: number): number;
}

/** Mulberry32; the seed is `PUSHFLEET_TEST_SEED`, or any. Put it into the name of a test. */
export function seededRandom(): SeededRandom {
  const given = process.env['PUSHFLEET_TEST_SEED'];
  const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed, between: (min, max) => min + Math.floor(next() * (max - min)) };
}
