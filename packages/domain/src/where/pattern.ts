import { RE2JS, RE2JSSyntaxException } from 're2js';
import { LIMITS } from '../limits';
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

export interface BadPattern {
  readonly why: string;
}

/** Compiles a PCRE pattern as far as a linear-time engine can. */
export function compilePattern(pattern: string, options: string): Pattern | BadPattern {
  const unknown = [...options].find((option) => !Object.hasOwn(FLAGS, option));
  if (unknown !== undefined) return { why: `the option ${JSON.stringify(unknown)} is none of i, m, s and x` };
  if (pattern.length > MAX_PATTERN) return { why: `longer than ${MAX_PATTERN} characters` };
  const flags = [...options].reduce((sum, option) => sum | (FLAGS[option] ?? 0), 0);
  try {
    const compiled = RE2JS.compile(options.includes('x') ? withoutLayout(pattern) : pattern, flags);
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
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
