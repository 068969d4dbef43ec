import { plainJsonIn } from './json';

test('text that is not JSON says nothing, and no number is too long', () => {
  for (const text of ['', '{', 'nothing']) expect(plainJsonIn(text)).toBeUndefined();
  expect(plainJsonIn('[null,"a",9007199254740993]')).toEqual([null, 'a', 2 ** 53]);
  expect(plainJsonIn('9'.repeat(100))).toBe(1e100);
});
