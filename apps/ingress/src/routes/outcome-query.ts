import { DISCARD_POLICY, FAILURE_POLICY, InvalidInput, LIMITS } from '@pushfleet/domain';
import { type OutcomeCursor, type OutcomeFilter } from '@pushfleet/store';
import { z } from 'zod';

const OUTCOMES = ['accepted', 'discarded', 'failed'] as const;
const REASONS = [...Object.keys(DISCARD_POLICY), ...Object.keys(FAILURE_POLICY)];
const CHANNEL = /^[a-z][a-z0-9-]{0,31}$/;
const DEFAULT_LIMIT = 100;
const PARAMETERS = ['outcome', 'reason', 'channel', 'cursor', 'limit'];

const at = z.int().min(0);
const cursorSchema = z.tuple([z.string().max(16), at, at, at]);

export interface OutcomeQuery {
  readonly filter: OutcomeFilter;
  readonly from: OutcomeCursor | undefined;
  readonly limit: number;
}

/** Which outcomes are asked for; every parameter that says nothing of use is refused by its name. */
export function outcomeQueryOf(query: URLSearchParams): OutcomeQuery {
  const unknown = [...query.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) refuse(unknown.slice(0, 50), `is no parameter; there are ${PARAMETERS.join(', ')}`);
  return {
    filter: {
      outcome: oneOf(query, 'outcome', OUTCOMES),
      reason: oneOf(query, 'reason', REASONS),
      channel: channelOf(query),
    },
    from: cursorOf(query),
    limit: limitOf(query),
  };
}

export const formatOutcomeCursor = ({ pushId, frames, rows, lines }: OutcomeCursor): string =>
  Buffer.from(JSON.stringify([pushId, frames, rows, lines])).toString('base64url');

function refuse(path: string, what: string): never {
  throw new InvalidInput('invalid-query', `${path}: ${what}`);
}

function valueOf(query: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = query.getAll(name);
  if (more.length > 0) refuse(name, 'may be given once');
  return value;
}

function oneOf<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | undefined {
  const value = valueOf(query, name);
  if (value === undefined) return undefined;
  return allowed.find((one) => one === value) ?? refuse(name, `must be one of ${allowed.join(', ')}`);
}

function channelOf(query: URLSearchParams): string | undefined {
  const value = valueOf(query, 'channel');
  if (value === undefined || CHANNEL.test(value)) return value;
  return refuse('channel', 'must be the name of a channel as the record has it, such as hms or own');
}

function limitOf(query: URLSearchParams): number {
  const value = valueOf(query, 'limit');
  if (value === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,9}$/.test(value) ? Number(value) : 0;
  const most = LIMITS.outcomePage.value;
  return limit >= 1 && limit <= most ? limit : refuse('limit', `must be a whole number from 1 to ${most}`);
}

function cursorOf(query: URLSearchParams): OutcomeCursor | undefined {
  const text = valueOf(query, 'cursor');
  if (text === undefined) return undefined;
  const [pushId, frames, rows, lines] = parsedCursor(text) ?? refuse('cursor', 'must be one that a page answered');
  return { pushId, frames, rows, lines };
}

function parsedCursor(text: string): z.infer<typeof cursorSchema> | undefined {
  try {
    return cursorSchema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
