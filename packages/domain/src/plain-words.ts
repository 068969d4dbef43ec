import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** What else a list or a text may be measured in. */
const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', map: 'entries' };

const FORMATS: Readonly<Record<string, string>> = {
  url: 'a URL',
  datetime: 'a date in ISO 8601',
  date: 'a day in ISO 8601',
  email: 'an e-mail address',
  uuid: 'a UUID',
  base64: 'base64',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

type Rules = { readonly [Code in RawIssue['code']]?: (issue: Extract<RawIssue, { code: Code }>) => string };

const RULES: Rules = {
  invalid_type: ({ expected, input }) => `must be ${kindNamed(expected)}, not ${kindOf(input)}`,
  invalid_value: ({ values }) =>
    `must be ${alternatives(values.map((value) => JSON.stringify(value) ?? String(value)))}`,
  too_small: (issue) => sizeRule(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum),
  too_big: (issue) => sizeRule(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum),
  invalid_format: formatRule,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  invalid_key: () => 'has a name that is not allowed',
  invalid_union: ({ errors, input }) => unionRule(errors, input),
};

/**
 * Says in plain words what a field must be, for everything about which its schema says nothing of its own; given as `error` to
 * whatever parses.
 */
export function plainWords(issue: RawIssue): string | undefined {
  if (issue.input === undefined && issue.code.startsWith('invalid_')) return 'is required';
  const rule = RULES[issue.code] as ((broken: RawIssue) => string) | undefined;
  return rule?.(issue);
}

const alternatives = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

/** Of what may have one of several forms: what is wrong with the form that was meant, or else which there are. */
function unionRule(forms: readonly (readonly z.core.$ZodIssue[])[], input: unknown): string {
  const [meant] = forms.filter((issues) => !issues.some(isOtherForm))[0] ?? [];
  if (meant) return [meant.path.join('.'), meant.message].filter((part) => part !== '').join(' ');
  const kinds = forms.flatMap(([first]) => (first && 'expected' in first ? [kindNamed(first.expected)] : []));
  return kinds.length === 0
    ? `must have another form: it is ${kindOf(input)}`
    : `must be ${alternatives([...new Set(kinds)])}, not ${kindOf(input)}`;
}

const isOtherForm = ({ code, path }: z.core.$ZodIssue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');

const kindNamed = (expected: string): string => KINDS[expected] ?? expected;

function sizeRule({ origin, exact }: SizeIssue, rule: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  const bound = `${exact === true ? 'exactly' : rule} ${limit}`;
  return unit === undefined ? `must be ${bound}` : `must have ${bound} ${unit}`;
}

interface SizeIssue {
  readonly origin: string;
  readonly exact?: boolean | undefined;
}

function formatRule({ format, pattern }: { readonly format: string; readonly pattern?: string | undefined }): string {
  const name = FORMATS[format];
  if (name !== undefined) return `must be ${name}`;
  return pattern === undefined ? `must be a well-formed ${format}` : `must match ${pattern}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  return KINDS[typeof value] ?? typeof value;
}
