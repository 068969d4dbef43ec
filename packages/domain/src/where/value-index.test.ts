import { aDocument, randomFrom, SCALARS, TYPED } from '../testing/random-where';
import type { Json } from '../json';
import { equalTo, instantOf } from './typed-values';
import { ValueIndex } from './value-index';

const SEED = 7500;

const turnedAround = (value: Json): Json => {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(turnedAround);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turnedAround(inner as Json)]),
  );
};

test(`a look-up finds what a comparison with each value would find (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  const odd: readonly Json[] = [
    { __type: 'Date', iso: 'never' },
    { __type: 'Pointer' },
    { __type: 'Other', a: 1 },
    {},
    [],
  ];
  const anyValue = (): Json =>
    random.pick([random.pick(SCALARS), random.pick(TYPED), random.pick(odd), aDocument(random)]);
  const composed = (): Json => random.pick([anyValue(), random.list(3, anyValue), { a: anyValue(), b: anyValue() }]);
  let found = 0;
  for (let round = 0; round < 200; round += 1) {
    const values = random.list(30, composed);
    const index = new ValueIndex(values, instantOf);
    const asked = [...random.list(10, composed), ...values.map(turnedAround), undefined];
    for (const value of asked) {
      const expected = values.some((one) => equalTo(one, instantOf)(value));
      if ((index.placeOf(value) !== undefined) !== expected)
        throw new Error(JSON.stringify({ seed: SEED, values, value, expected }));
      found += Number(expected);
    }
  }
  expect(found).toBeGreaterThan(500);
});

test('a value that is listed twice counts once', () => {
  const values: Json[] = [1, 1, { a: 1, b: 2 }, { b: 2, a: 1 }, null, [1], [1], [2], [3], [4]];
  expect(new ValueIndex(values, instantOf).size).toBe(7);
});

test('a thousand objects are looked for among thousands in the time that these take to read', () => {
  const objects = (from: number, count: number): Json[] =>
    Array.from({ length: count }, (_, i) => ({ a: from + i, b: 'the same in all of them' }));
  const index = new ValueIndex(objects(0, 1000), instantOf);
  const items = objects(5000, 7500);
  const startedAt = process.cpuUsage();
  expect(items.some((item) => index.placeOf(item) !== undefined)).toBe(false);
  // Comparing each with each took 400 times as long: seconds.
  expect(process.cpuUsage(startedAt).user).toBeLessThan(500_000);
});
