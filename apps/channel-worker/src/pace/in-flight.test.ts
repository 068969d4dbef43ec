import { CallsInFlight, partOf } from './in-flight';

it.each([
  [10, 3],
  [2, 5],
  [1, 1],
  [64, 8],
])('%d calls divided among %d workers are as many together', (whole, count) => {
  const parts = Array.from({ length: count }, (_, rank) => partOf(whole, { rank, count }));
  expect(parts.reduce((a, b) => a + b)).toBe(whole);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
});

it('a call that ends makes room for another of the same profile', () => {
  const calls = new CallsInFlight();
  expect([calls.begin('a/x', 2), calls.begin('a/x', 2), calls.begin('a/x', 2), calls.begin('b/x', 2)]).toEqual([
    ...[true, true],
    ...[false, true],
  ]);
  calls.end('a/x');
  expect(calls.begin('a/x', 2)).toBe(true);
});
