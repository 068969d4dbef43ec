import { LIMITS } from '../limits';

/** Quoted text, an escape, a class, a count, or any other character. */
const TOKEN = /\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/g;
const COUNT = /^\{(\d+),?(\d*)\}$/;

/** The engine joins what it can, such as letters between bars to a class: never so much of an honest pattern. */
const MOST_JOINED = 8;
const MOST_STEPS = MOST_JOINED * LIMITS.wherePatternSteps.value;
/** What counts within each other repeat more often is refused by the engine, before it makes anything of it. */
const MOST_TIMES = 1000;

/** What was read last: a character or what stands for one, or a group. */
interface Part {
  /** About the instructions that the engine makes of it. */
  readonly size: number;
  /** How often its counts repeat what is repeated most often. */
  readonly times: number;
}

const NOTHING: Part = { size: 0, times: 1 };

const joined = (a: Part, b: Part): Part => ({ size: a.size + b.size, times: Math.max(a.times, b.times) });

/** Whether making the instructions of a pattern would take long; told from its text, and none of them is made. */
export function hasTooManySteps(pattern: string): boolean {
  const around: Part[] = [];
  let [group, last] = [NOTHING, NOTHING];
  for (const [token] of pattern.matchAll(TOKEN)) {
    const [, least, most = ''] = COUNT.exec(token) ?? [];
    if (token === '(') {
      around.push(group);
      group = NOTHING;
    } else if (token === ')') {
      last = group;
      group = joined(around.pop() ?? NOTHING, last);
    } else if (least === undefined) {
      last = { size: token.startsWith('\\Q') ? token.length : 1, times: 1 };
      group = joined(group, last);
    } else {
      const times = Math.max(1, Number(least), Number(most));
      const { size } = last;
      last = { size: size * times, times: last.times * times };
      group = joined(group, { size: last.size - size, times: last.times });
    }
  }
  const whole = around.reduce(joined, group);
  return whole.size > MOST_STEPS && whole.times <= MOST_TIMES;
}

/** A class of Unicode, another escape, or what stands before the end of a range that is no ASCII. */
const WIDE = /\\p|\\[^]|-(?=\\x|[^ -~])/giu;
const [FIRST, LAST] = [/(?:\\x\{([0-9a-f]{1,6})\}|([^ -~]))$/iu, /^(?:\\x\{([0-9a-f]{1,6})\}|([^ -~]))/iu];
/** No letter behind it has another case. */
const LAST_LETTER = 0x1e943;
const BLOCK = 8192;

/** Classes of Unicode, and blocks of characters in ranges: where case does not matter, the engine looks at each of them. */
export function wideRangesIn(pattern: string): number {
  let count = 0;
  for (const { 0: token, index } of pattern.matchAll(WIDE)) {
    if (token === '-') count += blocksOf(pattern.slice(Math.max(0, index - 10), index), pattern.slice(index + 1));
    else if (token.toLowerCase() === '\\p') count += 1;
  }
  return count;
}

function blocksOf(before: string, behind: string): number {
  const characters = letterOf(LAST.exec(behind), 0xff) - letterOf(FIRST.exec(before), 0);
  return Math.ceil(Math.max(1, characters) / BLOCK);
}

function letterOf(found: RegExpExecArray | null, other: number): number {
  const [, digits, character] = found ?? [];
  const code = digits === undefined ? character?.codePointAt(0) : Number.parseInt(digits, 16);
  return Math.min(code ?? other, LAST_LETTER);
}
