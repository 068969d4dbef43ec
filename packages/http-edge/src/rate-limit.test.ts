import { openRateLimit } from './rate-limit';

it('allows so many in a second, for each key by itself, and again in the next', () => {
  let now = 5000;
  const allows = openRateLimit(2, () => now);
  expect([allows('a'), allows('a'), allows('a'), allows('b')]).toEqual([true, true, false, true]);
  now = 6000;
  expect(allows('a')).toBe(true);
});

it('begins a new second when the clock is set back', () => {
  let now = 3_600_000;
  const allows = openRateLimit(2, () => now);
  expect([allows('a'), allows('a'), allows('a')]).toEqual([true, true, false]);
  now = 5000;
  expect([allows('a'), allows('a'), allows('a')]).toEqual([true, true, false]);
  now = 6000;
  expect(allows('a')).toBe(true);
});
