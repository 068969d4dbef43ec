import { ERASE_LINE, printable, printableLine } from './printable';

it.each([
  ['\x1b]0;owned\x07', '\\u001b]0;owned\\u0007'],
  ['a\rb\x9b31m\x7f', 'a\\u000db\\u009b31m\\u007f'],
  ['\u202egnp.exe', '\\u202egnp.exe'],
  ['line\n\tnext 中 👩‍👧', 'line\n\tnext 中 👩‍👧'],
])('%j becomes %j', (text, expected) => expect(printable(text)).toBe(expected));

it('JSON means the same', () => {
  const value = { name: '\x9b31m\u202e', note: '\x1b[2J' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

it('a line may erase the one before it, and what it says may not', () => {
  expect(printableLine(`${ERASE_LINE}a${ERASE_LINE}b`)).toBe(`${ERASE_LINE}a\\u000d\\u001b[Kb`);
});
