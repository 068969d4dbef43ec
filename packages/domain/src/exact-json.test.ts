import { exactSum, readJson } from './exact-json';
import { writeJson } from './limits';

const LARGE = '1234567890123456789';

it.each([
  ['a member', `{"a":${LARGE}}`, { a: 1234567890123456789n }],
  ['an item', `[1,-${LARGE}]`, [1, -1234567890123456789n]],
  ['all there is', LARGE, 1234567890123456789n],
  ['beside white space', `{"a" :\n ${LARGE} }`, { a: 1234567890123456789n }],
  ['the first that a double cannot hold', '[9007199254740992]', [9007199254740992n]],
])('an integer keeps its digits: %s', (_, text, value) => {
  expect(readJson(text)).toEqual(value);
  expect(writeJson(readJson(text))).toBe(text.replaceAll(/\s/g, ''));
});

it.each([
  '[9007199254740991,-9007199254740991]',
  '{"a":"1234567890123456789","b":1e21,"c":1234567890123456.5,"d":[":1234567890123456789", 1e-20,5E1,1.5e15]}',
  '{"__proto__":{"a":1234567890123456},"a":1,"a":2}',
  '"1234567890123456789"',
])('everything else is as JSON.parse reads it: %s', (text) => {
  const value = readJson(text);
  expect(value).toEqual(JSON.parse(text));
  expect(writeJson(value)).toBe(JSON.stringify(JSON.parse(text)));
});

it.each([
  ['as Java prints a double', '1.23456789012345677E18', 1234567890123456800n],
  ['as Python and PHP print one', '[1e+20, 9007199254740994.0]', [100000000000000000000n, 9007199254740994n]],
  ['below zero', '{"a":-9.007199254740994E15}', { a: -9007199254740994n }],
  ['with parts that it cannot hold', '12345678901234567.5', 12345678901234568n],
])('a double beyond them is the integer that is written for it, %s', (_, text, value) => {
  expect(readJson(text)).toEqual(value);
  expect(readJson(JSON.stringify(JSON.parse(text)))).toEqual(value);
});

it('the last of two members of one name counts, also beside a large integer', () => {
  expect(readJson(`{"a":1,"b":${LARGE},"a":2}`)).toEqual({ a: 2, b: 1234567890123456789n });
  const strange = readJson(`{"__proto__":{"x":${LARGE}}}`) as object;
  expect(Object.getPrototypeOf(strange)).toBe(Object.prototype);
  expect(Object.keys(strange)).toEqual(['__proto__']);
});

it.each([`{"a":${LARGE}`, `[${LARGE},]`, `${LARGE}x`])('%s is no JSON', (text) => {
  expect(() => readJson(text)).toThrow(SyntaxError);
});

it('64 digits are kept, 65 refused with the limit', () => {
  const most = '9'.repeat(64);
  expect(writeJson(readJson(`[-${most}]`))).toBe(`[-${most}]`);
  expect(() => readJson(`[${most}9]`)).toThrow(/64 digits/);
});

it.each([
  '1e309',
  '{"a":-1E+309}',
  '[0.1e999]',
  `[${'9'.repeat(400)}.0]`,
  '1'.padEnd(310, '0') + '.5',
  '{"a":[1.5,2e400]}',
])('a number beyond all that a double holds is refused: %.20s', (text) => {
  expect(() => readJson(text)).toThrow('a number may be at most 1.8e308, above zero or below it');
});

it('a number with a high power of ten, and text that looks like one, stay what they are', () => {
  const text = '{"a":1.7e+308,"b":[-1e308,1e-400],"c":"1e999",":2e999":" 2e999"}';
  expect(readJson(text)).toEqual(JSON.parse(text));
});

it('sums of integers are exact', () => {
  expect(exactSum(1234567890123456789n, 1)).toBe(1234567890123456790n);
  expect(exactSum(9007199254740991, 1)).toBe(9007199254740992n);
  expect(exactSum(9007199254740992n, -1)).toBe(9007199254740991);
  expect(exactSum(1.5, 1)).toBe(2.5);
});
