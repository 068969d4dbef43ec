import { RE2JS, RE2JSSyntaxException } from 're2js';
import { LIMITS } from '../limits';
import { hasTooManySteps, wideRangesIn } from './pattern-cost';
import { shown } from './refuse';

const MAX_PATTERN = LIMITS.patternCharacters.value;

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  x: 0,
};

export interface Pattern {
  /** Whether the pattern is found anywhere in the text, in time linear in its length. */
  test(text: string): boolean;
  /** Instructions of the engine. */
  readonly size: number;
}

/** A pattern that the engine has not seen yet. */
export interface PatternText {
  /** What is costly to compile, by its number. */
  readonly wideRanges: number;
  compile(): Pattern | BadPattern;
}

export interface BadPattern {
  readonly why: string;
}

/** Reads a PCRE pattern, to be compiled as far as a linear-time engine can. */
export function readPattern(pattern: string, options: string): PatternText | BadPattern {
  const unknown = [...options].find((option) => !Object.hasOwn(FLAGS, option));
  if (unknown !== undefined) return { why: `the option ${JSON.stringify(unknown)} is none of i, m, s and x` };
  if (pattern.length > MAX_PATTERN) return { why: `longer than ${MAX_PATTERN} characters` };
  const flags = [...options].reduce((sum, option) => sum | (FLAGS[option] ?? 0), 0);
  const text = options.includes('x') ? withoutLayout(pattern) : pattern;
  if (hasTooManySteps(text)) return { why: `more than ${LIMITS.wherePatternSteps.value} steps in the pattern` };
  return { wideRanges: wideRangesIn(text), compile: () => compile(text, flags, pattern) };
}

function compile(text: string, flags: number, pattern: string): Pattern | BadPattern {
  try {
    const compiled = RE2JS.compile(text, flags);
    return { test: (searched) => compiled.test(searched), size: compiled.programSize() };
  } catch (error) {
    return { why: reasonOf(error, pattern) };
  }
}

/** Quoted text, escapes and classes keep their white space; elsewhere it and comments are layout. */
const LAYOUT = /(\\Q[^]*?(?:\\E|$)|\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w+:\]|[^\]\\])*\])|\s+|#[^\n]*/g;

const withoutLayout = (pattern: string): string => pattern.replace(LAYOUT, (_, kept: string | undefined) => kept ?? '');

const UNSUPPORTED: readonly (readonly [construct: RegExp, name: string])[] = [
  [/^\(\?(?:[=!]|<[=!])/, 'look-around is not supported'],
  [/^\\(?:[1-9]|[kg])|^\(\?P=?$/, 'back-references are not supported'],
  [/^\(\?>|^(?:[*+?]|\{[\d,]+\})\+$/, 'atomic groups and possessive quantifiers are not supported'],
];

function reasonOf(error: unknown, pattern: string): string {
  if (!(error instanceof RE2JSSyntaxException)) return 'cannot be compiled';
  const near = error.input ?? pattern;
  const unsupported = UNSUPPORTED.find(([construct]) => construct.test(near));
  return unsupported ? unsupported[1] : `${error.error}: ${shown(near)}`;
}
