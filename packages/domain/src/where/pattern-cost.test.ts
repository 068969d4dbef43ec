import { parseWhere } from './index';
import { hasTooManySteps, wideRangesIn } from './pattern-cost';

const LONGEST = 1024;
/** As often as it fits into a pattern. */
const filled = (part: string, [before, behind] = ['', '']): string =>
  before + part.repeat(Math.floor((LONGEST - before.length - behind.length) / part.length)) + behind;
const inClass = ['[', ']'] as const;

describe('the time that ten patterns take to compile', () => {
  it.each([
    ['classes of Unicode in a class', filled(String.raw`\pL\PL`, [...inClass])],
    ['classes of Unicode between bars', filled(String.raw`\pL|`, ['(?:', 'x)'])],
    ['classes of Unicode behind each other', filled(String.raw`[^\p{Lu}]`)],
    ['wide ranges', filled('B-\u{1e942}', [...inClass])],
    ['wide ranges that begin with an escape', filled(String.raw`\--\x{1e942}`, [...inClass])],
    ['wide ranges behind a backslash', filled('\\\\-\u{1e942}', [...inClass])],
    ['counts', filled('a{999}')],
    ['counts within each other', filled('(?:a{31}){32}')],
    ['counts of classes', filled(String.raw`(?:\w{10}){99}`)],
    ['classes of letters', filled(String.raw`\W\D\S`, [...inClass])],
  ])('is bounded: %s', (_, $regex) => {
    const where = { $or: Array.from({ length: 10 }, () => ({ a: { $regex, $options: 'i' } })) };
    const began = process.cpuUsage();
    try {
      parseWhere(where);
    } catch (error) {
      expect((error as Error).message).toMatch(/^where: (a: \$regex )?more than \d+ /);
    }
    // Most of it is what the engine does when it is used for the first time.
    expect(process.cpuUsage(began).user).toBeLessThan(300_000);
  });
});

it('patterns of people who search are compiled as before', () => {
  const patterns = [
    String.raw`^[\p{Han}\p{L}\p{N}_ -]{1,40}$`,
    '^[\u4e00-\u9fa5]{2,8}$',
    '[\u{1f300}-\u{1f5ff}\u{1f600}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}]',
    String.raw`^\d{3}-\d{4}-\d{4}$`,
    String.raw`^(\d{1,3}\.){3}\d{1,3}$`,
    '[а-яё]+-[α-ω]+',
    String.raw`\Q{999}{999}{999}{999}{999}\E`,
    `^(${Array.from({ length: 90 }, (_, i) => `v${i}`).join('|')})$`,
  ];
  for (const $regex of patterns) expect(() => parseWhere({ a: { $regex, $options: 'i' } })).not.toThrow();
});

it.each([
  ['', 0],
  [String.raw`\p{L}\PL\\p`, 2],
  ['a-z0-9', 0],
  ['[а-я]', 1],
  ['[\u4e00-\u9fa5]', 3],
  [String.raw`[\x{4e00}-\x{9fa5}]`, 3],
  ['[B-\u{1e942}]', 16],
  ['[\u{1f300}-\u{1f64f}]', 1],
  [String.raw`[\--\x{ffff}]\-龥`, 8],
])('%s has %d classes of Unicode and blocks of ranges', (pattern, count) => {
  expect(wideRangesIn(pattern)).toBe(count);
});

it.each([
  ['a'.repeat(LONGEST), false],
  ['(?:ab){1000}', false],
  ['(?:abcd){1000}b', true],
  ['(?:a{31}){32}'.repeat(4), true],
  ['((a{10}){10}){10}', false],
  ['(a{1000}){1000}', false],
  [String.raw`\{999}[{999}]`.repeat(20), false],
  [')(((a{999}', false],
])('whether %s would be too many steps: %s', (pattern, isTooMany) => {
  expect(hasTooManySteps(pattern)).toBe(isTooMany);
});
