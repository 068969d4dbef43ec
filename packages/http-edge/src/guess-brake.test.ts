import { openGuessBrake } from './guess-brake';

it('a network that guesses waits for its minute to end, and no other does', () => {
  let now = 1000;
  const brake = openGuessBrake(20, () => now);
  for (let i = 1; i < 20; i += 1) expect(brake.guessed('a')).toBe(false);
  expect(brake.waitMs('a')).toBe(0);
  expect(brake.guessed('a')).toBe(true);
  expect([brake.waitMs('a'), brake.waitMs('b')]).toEqual([60_000, 0]);
  now += 60_000;
  expect(brake.waitMs('a')).toBe(0);
  expect(brake.guessed('a')).toBe(false);
});
