import { parse, stringify } from 'lossless-json';

/** 16 digits are the fewest of an integer that a double cannot hold; a text that looks like one costs no more than the slower parser. */
const MAYBE_LONG = /[-[:,\s]\d{16}|^\d{16}/;
const INTEGER = /^-?\d+$/;

/** The number that a text of JSON stands for; an integer beyond ±2^53 is a `bigint`, which has all its digits. */
export function readNumber(text: string): number | bigint {
  const value = Number(text);
  return INTEGER.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

const EXACTLY = {
  parseNumber: readNumber,
  onDuplicateKey: ({ newValue }: { readonly newValue: unknown }) => newValue,
};

/** As `JSON.parse`, but with every digit of an integer, as the API has it. */
export const readJson = (text: string): unknown =>
  MAYBE_LONG.test(text) ? parse(text, null, EXACTLY) : (JSON.parse(text) as unknown);

/** Marks of writing direction: in a text of somebody else they show what follows it the other way round. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const byNumber = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** As `JSON.stringify`, for what was read so; with a number of spaces for a reader. */
export const writeJson = (value: unknown, spaces?: number): string =>
  (stringify(value, null, spaces) ?? 'null').replace(TURNING, byNumber);
