import { isDeeperThan } from './is-deeper-than';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test.each<readonly [string, string, boolean]>([
  ['as deep as allowed', nested(4), false],
  ['one deeper', nested(5), true],
  ['objects and lists together', '{"a":[{"b":[[]]}]}', true],
  ['side by side is not nested', `[${Array(9).fill('[[[]]]').join(',')}]`, false],
  ['brackets in a string are text', `["${'['.repeat(9)}"]`, false],
  ['an escaped quote does not end a string', String.raw`["\"[[[[[[[["]`, false],
  ['a backslash that is escaped does', String.raw`["\\",[[[[]]]]]`, true],
  ['a string without an end', `["${'['.repeat(9)}`, false],
  ['nothing', '', false],
])('%s', (_, text, isDeeper) => {
  expect(isDeeperThan(text, 4)).toBe(isDeeper);
});
