import { randomInt } from 'node:crypto';
import { seededRandom } from '@pushfleet/testing';

/** Numbers that another run repeats when it is given the same seed. */
export interface FaultRandom {
  readonly seed: number;
  /** A whole number from `min` to below `max`. */
  between(min: number, max: number): number;
}

/** The seed is `FAULT_SEED`, or any. Put it into the name of a test. */
export function faultRandom(): FaultRandom {
  const given = process.env['FAULT_SEED'];
  const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
  const { below } = seededRandom(seed);
  return { seed, between: (min, max) => min + below(max - min) };
}
