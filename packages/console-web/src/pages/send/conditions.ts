import { readNumber } from '../../api/exact-json';
import { midnightOf } from '../../parts/midnight-of';

export const OPERATORS = [
  ...([
    'is',
    'isNot',
    'isAny',
    'isAtLeast',
    'isAtMost',
    'above',
    'below',
    'beginsWith',
    'isThere',
    'isNotThere',
  ] as const),
] as const;
export type Operator = (typeof OPERATORS)[number];

/** What one column of an installation has to be, as it was typed. */
export interface Condition {
  readonly column: string;
  readonly operator: Operator;
  readonly value: string;
}

export const EMPTY_CONDITION: Condition = { column: '', operator: 'is', value: '' };

/** Those that compare with nothing. */
export const isAlone = (operator: Operator): boolean => operator === 'isThere' || operator === 'isNotThere';

const DATES = new Set(['createdAt', 'updatedAt']);

/** As JSON has it: with a zero before it, it is the text of an id, which has to keep that. */
const NUMBER = /^-?((0|[1-9]\d*)|\d{1,15}\.\d{1,10})$/;

/** A number, a truth or a date is itself; all else, and what stands in quotes, is a text. */
function valueOf(column: string, typed: string): unknown {
  const text = typed.trim();
  if (DATES.has(column)) return { __type: 'Date', iso: isoOf(text) };
  if (text === 'true' || text === 'false') return text === 'true';
  if (NUMBER.test(text)) return readNumber(text);
  const [, quoted] = /^"(.*)"$/.exec(text) ?? [];
  return quoted ?? text;
}

function isoOf(text: string): string {
  const at = midnightOf(text) ?? new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

const inPattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const WRITE: Readonly<Record<Operator, (column: string, typed: string) => unknown>> = {
  is: valueOf,
  isNot: (column, typed) => ({ $ne: valueOf(column, typed) }),
  isAny: (column, typed) => ({ $in: typed.split(',').map((one) => valueOf(column, one)) }),
  isAtLeast: (column, typed) => ({ $gte: valueOf(column, typed) }),
  isAtMost: (column, typed) => ({ $lte: valueOf(column, typed) }),
  above: (column, typed) => ({ $gt: valueOf(column, typed) }),
  below: (column, typed) => ({ $lt: valueOf(column, typed) }),
  beginsWith: (_, typed) => ({ $regex: `^${inPattern(typed)}` }),
  isThere: () => ({ $exists: true }),
  isNotThere: () => ({ $exists: false }),
};

/** The condition that all of them make; undefined while one of them lacks something. */
export function whereOf(conditions: readonly Condition[]): readonly object[] | undefined {
  const isWhole = ({ column, operator, value }: Condition): boolean =>
    column.trim() !== '' && (isAlone(operator) || value.trim() !== '');
  if (conditions.length === 0 || !conditions.every(isWhole)) return undefined;
  return conditions.map(({ column, operator, value }) => ({
    [column.trim()]: WRITE[operator](column.trim(), value),
  }));
}
