import { randomFrom } from '../testing/random-where';
import { checkJsonLevels, checkQueryJson, nestsDeeper, valueNestsDeeper } from './json-levels';

const SEED = 1013;

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '0' + '}'.repeat(levels);

test.each([lists, objects])('a text may nest as deep as the limit and no deeper', (nested) => {
  expect(nestsDeeper(nested(32), 32)).toBe(false);
  expect(nestsDeeper(nested(33), 32)).toBe(true);
  expect(nestsDeeper(Buffer.from(nested(32)), 32)).toBe(false);
  expect(nestsDeeper(Buffer.from(nested(33)), 32)).toBe(true);
});

test('what stands beside each other is not deep', () => {
  expect(nestsDeeper(`[${Array.from({ length: 1000 }, () => lists(20)).join(',')}]`, 32)).toBe(false);
});

test('brackets in a text are no levels, nor does an escaped quote end it', () => {
  const text = JSON.stringify({ a: `${'['.repeat(50)}"${'{'.repeat(50)}\\`, b: '\\"[[' });
  expect(nestsDeeper(text, 2)).toBe(false);
  expect(nestsDeeper(`{"a\\"":${lists(2)}}`, 2)).toBe(true);
});

test('a text that is cut off or no JSON is judged by what there is of it', () => {
  expect(nestsDeeper('['.repeat(33), 32)).toBe(true);
  expect(nestsDeeper(`"${'['.repeat(33)}`, 32)).toBe(false);
});

test(`text and value agree on their levels (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  const anything = (depth: number): unknown => {
    if (depth === 0 || random.below(5) === 0) return random.pick(['[{', '"', '\\', 1, null]);
    if (random.below(2) === 0) return random.list(3, () => anything(depth - 1));
    return Object.fromEntries(random.list(3, () => [`k"[{${random.below(9)}`, anything(depth - 1)] as const));
  };
  for (let round = 0; round < 2000; round += 1) {
    const value = anything(8);
    const levels = random.below(9);
    expect(nestsDeeper(JSON.stringify(value), levels)).toBe(valueNestsDeeper(value, levels));
  }
});

test('a value nested a hundred thousand levels is judged without a stack of its depth', () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(valueNestsDeeper(deep, 32)).toBe(true);
  expect(valueNestsDeeper(deep, 100_000)).toBe(false);
});

test('the refusal names the limit, and has the code of the place', () => {
  expect(() => checkJsonLevels('['.repeat(33))).toThrow(
    expect.objectContaining({ problem: 'malformed-json', message: 'the body nests too deep: at most 32 levels' }),
  );
  expect(() => checkJsonLevels('['.repeat(36), 'batchJsonLevels')).not.toThrow();
  expect(() => checkQueryJson('['.repeat(33), 'where', 'invalid-query')).toThrow(
    expect.objectContaining({ problem: 'invalid-query', message: 'where: nested too deeply: at most 32 levels' }),
  );
});
