import { rememberBriefly } from './remember-briefly';

it('gives an answer for a second, and asks again when the clock is set back', async () => {
  let [now, asked] = [3_600_000, 0];
  const known = rememberBriefly(
    () => Promise.resolve((asked += 1)),
    () => now,
  );
  expect(await known.get('a')).toBe(1);
  now += 999;
  expect(await known.get('a')).toBe(1);
  now += 1;
  expect(await known.get('a')).toBe(2);
  now = 0;
  expect(await known.get('a')).toBe(3);
});
