import fc from 'fast-check';

const nest = (open: string, close: string, depth: number): string => open.repeat(depth) + '1' + close.repeat(depth);
const listOf = (count: number, item: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => item(n)).join(',');

const few = fc.integer({ min: 20, max: 2000 });
const many = fc.integer({ min: 2000, max: 30_000 });

/** JSON text that is small to write and large to read: deep, long, wide, or the same again and again. */
export const heavyJsonText: fc.Arbitrary<string> = fc.oneof(
  fc.oneof(few, many).map((depth) => nest('[', ']', depth)),
  fc.oneof(few, many).map((depth) => nest('{"a":', '}', depth)),
  few.map((depth) => nest('{"$or":[', ']}', depth)),
  many.map((count) => `[${listOf(count, String)}]`),
  many.map((count) => `[${listOf(count, () => '{}')}]`),
  many.map((count) => `[${listOf(count, (n) => `"n${n}"`)}]`),
  many.map((count) => `{${listOf(count, (n) => `"k${n}":0`)}}`),
  many.map((count) => `{${listOf(count, () => '"a":1')}}`),
  few.map((count) => `{${listOf(count, () => '"$in":[1,2]')}}`),
  many.map((length) => JSON.stringify('x'.repeat(length))),
  many.map((length) => '['.repeat(length)),
);

/** A list of names in a query that is far too long, or far too deep. */
export const heavyQueryValue: fc.Arbitrary<string> = fc.oneof(
  few.map((count) => listOf(count, (n) => `f${n}`)),
  few.map((count) => ','.repeat(count)),
  few.map((depth) => nest('{"$or":[', ']}', depth)),
);
