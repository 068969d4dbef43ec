import { isSameSecret } from './same-secret';

it.each([
  ['same', 'same', true],
  ['sane', 'same', false],
  ['', 'same', false],
  ['same and more', 'same', false],
  ['clé', 'clé', true],
])('%j against %j: %s', (given, expected, isSame) => {
  expect(isSameSecret(given, expected)).toBe(isSame);
});
