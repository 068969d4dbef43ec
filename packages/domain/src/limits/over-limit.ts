import { InvalidInput, type InputProblem } from '../invalid-input';
import type { Limit } from './limit';
import { LIMITS } from './table';

/** Codes of the 1.1 API that stand for a problem of the input. */
const PROBLEM_OF_CODE = {
  102: 'invalid-query',
  105: 'key-name',
  107: 'malformed-json',
  111: 'wrong-type',
  112: 'channel-name',
  154: 'threshold',
  300: 'invalid-cql',
  413: 'too-large',
  4103: 'client-id',
} as const satisfies Readonly<Record<number, InputProblem>>;

type InputCode = keyof typeof PROBLEM_OF_CODE;

type Table = typeof LIMITS;

/** Limits whose refusal is a matter of the input, by the code in their row. */
export type InputLimit = {
  [Name in keyof Table]: Table[Name] extends { readonly answer: { readonly code: InputCode } } ? Name : never;
}[keyof Table];

/**
 * The refusal of a request that is over a limit; `what` begins the message, which ends with the limit and its value. The
 * problem is another than the row's where the place has a code of its own.
 */
export function overLimit(name: InputLimit, what: string, problem?: InputProblem): InvalidInput {
  const { value, unit, answer } = LIMITS[name];
  return new InvalidInput(problem ?? PROBLEM_OF_CODE[answer.code], `${what} at most ${shownLimit({ value, unit })}`);
}

/** `500 conditions`. */
const shownLimit = ({ value, unit }: Pick<Limit, 'value' | 'unit'>): string => `${value} ${unit}`;
