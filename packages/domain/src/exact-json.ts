import { parse } from 'lossless-json';
import { InvalidInput } from './invalid-input';
import type { Json } from './json';
import { LIMITS, overLimit } from './limits';

/**
 * A number so long stands somewhere, or a text that looks like one, which costs no more than the slower parser. 16 digits
 * are the fewest of an integer that a double cannot hold.
 */
const MAYBE_LONG = /[-[:,\s]\d{16}|^\d{16}/;
/** Doubles that large are printed so. Nearly no text that is no number looks like one, not even a hash. */
const MAYBE_POWER = /\d[eE]\+?\d+(?:[,\]}\s]|$)/;
const INTEGER = /^-?\d+$/;

/**
 * Reads JSON as `JSON.parse` does, but integers beyond ±2^53 become `bigint`: Java, Go and Python send such ids as numbers,
 * digit by digit, and a double would change them. Throws `SyntaxError`, and `InvalidInput` for an integer with too many
 * digits and for a number that a double cannot hold: it would be written as null.
 */
export const readJson = (text: string): Json =>
  MAYBE_LONG.test(text) || MAYBE_POWER.test(text) ? (parse(text, null, EXACTLY) as Json) : (JSON.parse(text) as Json);

/** What the text says, integers beyond ±2^53 as `bigint`; undefined where it is not JSON. */
export function jsonIn(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The text of a number of JSON. A double beyond ±2^53, as Java prints one (`1.2E18`), becomes the integer that is written for
 * it: whoever reads that again would find another number than the one that was saved.
 */
export function readNumber(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  if (INTEGER.test(text)) return largeInteger(text);
  if (!Number.isFinite(value))
    throw new InvalidInput('malformed-json', 'a number may be at most 1.8e308, above zero or below it');
  const written = String(value);
  return INTEGER.test(written) ? BigInt(written) : value;
}

const EXACTLY = {
  parseNumber: readNumber,
  onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
};

/** `digits` with an optional sign. */
function largeInteger(digits: string): bigint {
  if (digits.replace('-', '').length > LIMITS.integerDigits.value)
    throw overLimit('integerDigits', 'an integer may have');
  return BigInt(digits);
}

/** A sum of integers is exact; a number where a double holds it. */
export function exactSum(a: number | bigint, b: number | bigint): number | bigint {
  if (!isInteger(a) || !isInteger(b)) return Number(a) + Number(b);
  const sum = BigInt(a) + BigInt(b);
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : largeInteger(String(sum));
}

const isInteger = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isInteger(value);
