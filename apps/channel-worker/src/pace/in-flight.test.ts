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

it('a page gets as many calls as there is room for, and a call that ends makes room for another of the same profile', () => {
  const calls = new CallsInFlight();
  const begin = (profile: string, wanted = 1): number => calls.begin(profile, { most: 3, wanted });
  expect([begin('a/x'), begin('a/x', 5), begin('a/x'), begin('b/x')]).toEqual([1, 2, 0, 1]);
  calls.end('a/x', 2);
  expect(begin('a/x', 5)).toBe(2);
});
