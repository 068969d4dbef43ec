import type { z } from 'zod';
import { InvalidInput, type InputProblem } from './invalid-input';
import { plainWords } from './plain-words';

type Issue = z.core.$ZodIssue;

/**
 * A value that a schema without transformations accepts, as it came: a parsed copy would have its keys in another order.
 * Throws `InvalidInput` naming the first field that is wrong.
 */
export function checked<Schema extends z.ZodType>(schema: Schema, input: unknown, within = ''): z.output<Schema> {
  const parsed = readable(() => schema.safeParse(input, { reportInput: true, error: plainWords }));
  if (parsed.success) return input as z.output<Schema>;
  const [issue] = parsed.error.issues;
  if (!issue) throw parsed.error;
  const place = [...(within === '' ? [] : [within]), ...issue.path].join('.');
  const message = isMissing(issue) ? 'is required' : issue.message;
  throw new InvalidInput(problemOf(issue), place === '' ? `the body ${message}` : `${place}: ${message}`);
}

/** The library compares the `length` of whatever has one, and throws when that is no number. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError) throw new InvalidInput('wrong-type', 'the body cannot be understood');
    throw error;
  }
}

const isMissing = ({ code, input }: Issue): boolean => input === undefined && code.startsWith('invalid_');

/** Fields that name clients, each by itself or in a list. */
const CLIENT_FIELDS = ['from_client', 'offline_clients', 'mention_client_ids', 'client_ids'];

const isClientId = ({ code }: Issue): boolean => code === 'custom';
const isListOf =
  (wrong: Issue['code']) =>
  ({ code, path }: Issue): boolean =>
    code === wrong && path.length === 1;

/** What is wrong with a field other than its type. The first row that fits counts. */
const PROBLEMS: readonly (readonly [field: string, fits: (issue: Issue) => boolean, problem: InputProblem])[] = [
  ['push_time', () => true, 'push-time'],
  ['channels', ({ code, path, input }) => path.length > 1 || code === 'custom' || isNames(code, input), 'channel-name'],
  ...['device_ids', 'installation_ids', 'object_ids'].flatMap((list) => [
    [list, isListOf('too_big'), 'threshold'] as const,
    [list, isListOf('too_small'), 'required-field'] as const,
  ]),
  ...CLIENT_FIELDS.map((field) => [field, isClientId, 'client-id'] as const),
  ...CLIENT_FIELDS.map((field) => [field, ({ code }: Issue) => code === 'too_big', 'threshold'] as const),
];

/** Names were given in one of the two ways, but not the right ones. */
const isNames = (code: string, input: unknown): boolean =>
  code === 'invalid_union' && (typeof input === 'string' || Array.isArray(input));

function problemOf(issue: Issue): InputProblem {
  if (isMissing(issue)) return 'required-field';
  const row = PROBLEMS.find(([field, fits]) => field === issue.path[0] && fits(issue));
  return row?.[2] ?? 'wrong-type';
}
