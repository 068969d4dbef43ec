import { DEVICE_OUTCOMES, DISCARD_POLICY, FAILURE_POLICY, LIMITS, plainJsonIn } from '@pushfleet/domain';
import { type OutcomeCursor, type OutcomeFilter } from '@pushfleet/store';
import { z } from 'zod';
import { pageLimitOf, refuseParameter, requireKnown, valueOf } from '../http/strict-query';

export const OUTCOME_REASONS = [...Object.keys(DISCARD_POLICY), ...Object.keys(FAILURE_POLICY)];
export const CHANNEL_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const OF_A_STREAM = ['outcome', 'reason', 'channel', 'cursor'];
const OF_A_PAGE = [...OF_A_STREAM, 'limit'];

const at = z.int().min(0);
const cursorSchema = z.tuple([z.string().max(16), at, at, at, z.literal(true).optional()]);

export interface OutcomeQuery {
  readonly filter: OutcomeFilter;
  readonly from: OutcomeCursor | undefined;
  readonly limit: number;
}

/** Which outcomes are asked for; every parameter that says nothing of use is refused by its name. */
export function outcomeQueryOf(query: URLSearchParams, as: 'page' | 'stream'): OutcomeQuery {
  if (as === 'page') requireKnown(query, OF_A_PAGE);
  else requireKnown(query, OF_A_STREAM, 'parameter of a stream');
  return {
    filter: {
      outcome: oneOf(query, 'outcome', DEVICE_OUTCOMES),
      reason: oneOf(query, 'reason', OUTCOME_REASONS),
      channel: channelOf(query),
    },
    from: cursorOf(query),
    limit: as === 'page' ? pageLimitOf(query, LIMITS.outcomePage) : LIMITS.outcomePage.value,
  };
}

export const formatOutcomeCursor = ({ pushId, frames, rows, lines, isDamaged }: OutcomeCursor): string =>
  Buffer.from(JSON.stringify([pushId, frames, rows, lines, ...(isDamaged ? [isDamaged] : [])])).toString('base64url');

function oneOf<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | undefined {
  const value = valueOf(query, name);
  if (value === undefined) return undefined;
  return allowed.find((one) => one === value) ?? refuseParameter(name, `must be one of ${allowed.join(', ')}`);
}

function channelOf(query: URLSearchParams): string | undefined {
  const value = valueOf(query, 'channel');
  if (value === undefined || CHANNEL_NAME.test(value)) return value;
  return refuseParameter('channel', 'must be the name of a channel as the record has it, such as hms or own');
}

function cursorOf(query: URLSearchParams): OutcomeCursor | undefined {
  const text = valueOf(query, 'cursor');
  if (text === undefined) return undefined;
  const { data } = cursorSchema.safeParse(plainJsonIn(Buffer.from(text, 'base64url').toString()));
  const [pushId, frames, rows, lines, isDamaged] =
    data ?? refuseParameter('cursor', 'must be one that a page answered');
  return { pushId, frames, rows, lines, isDamaged };
}
