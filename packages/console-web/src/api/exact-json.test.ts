import { readJson, writeJson } from './exact-json';

it.each([
  '{"userId":1234567890123456789}',
  '[-1234567890123456789,9007199254740993,1]',
  '{"a":{"b":["x",null,true,1.5]},"__proto__":{"c":12345678901234567890}}',
  '1234567890123456789',
  '"1234567890123456789"',
])('%s is written as it was read', (text) => {
  expect(writeJson(readJson(text))).toBe(text);
});

it('an integer that a double holds is a number, a longer one a bigint', () => {
  expect(readJson('[9007199254740991,9007199254740992]')).toEqual([9007199254740991, 9007199254740992n]);
});

it('what is no JSON is refused, with a long integer in it too', () => {
  for (const text of ['', '{', '{"a":1234567890123456789', '1234567890123456789x'])
    expect(() => readJson(text)).toThrow(SyntaxError);
});

it('what is written for a reader has a line for each value', () => {
  expect(writeJson({ a: 1n, b: [2] }, 2)).toBe('{\n  "a": 1,\n  "b": [\n    2\n  ]\n}');
});

it('what would turn the rest of a line around is written by its number, and is the same when it is read', () => {
  const value = { name: 'ann\u202e\u2066\u200f', '\u202d': 'Zoë 王 שלום' };
  expect(writeJson(value)).toBe('{"name":"ann\\u202e\\u2066\\u200f","\\u202d":"Zoë 王 שלום"}');
  expect(readJson(writeJson(value))).toEqual(value);
});
