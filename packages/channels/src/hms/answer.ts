import { ChannelFault, faultOfStatus, parseAnswer, type VendorResponse } from '@pushfleet/channel-kit';
import { type Outcome, type VendorVerdict } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, OK_CODE, PARTLY_OK, STATUSES, type CodeRow } from './codes';
import { tryJson } from './json';

const answerSchema = z.looseObject({
  code: z.union([z.string(), z.int()]).transform(String),
  msg: z.string().optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

const refusedTokensSchema = z.looseObject({ illegal_tokens: z.array(z.string()) });

type Answer = z.infer<typeof answerSchema>;

export type Reading =
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | ({ readonly kind: 'token-refused' } & VendorVerdict);

export function readAnswer(response: VendorResponse, registrationIds: readonly string[]): Reading {
  const unreadable = readStatus(response);
  if (unreadable) return unreadable;
  const answer = parseAnswer(answerSchema, response);
  if (response.status === 200 && answer.code === OK_CODE) return accepted(answer, registrationIds);
  if (response.status === 200 && answer.code === PARTLY_OK.code) {
    return accepted(answer, registrationIds, refusedTokens(answer, response));
  }
  const row = CODES[answer.code] ?? STATUSES[response.status];
  if (row) return readRow(row, response, { registrationIds, verdict: verdictOf(answer, row) });
  throw faultOfStatus(response) ?? new ChannelFault('unrecognised-answer', `code ${answer.code}`, verdictOf(answer));
}

/** An answer whose body holds no code, when its HTTP status says enough by itself. */
function readStatus(response: VendorResponse): Reading | undefined {
  const row = STATUSES[response.status];
  if (!row || answerSchema.safeParse(tryJson(response.body)).success) return undefined;
  const verdict = { vendorCode: String(response.status), vendorMessage: row.words };
  return readRow(row, response, { registrationIds: [], verdict });
}

interface RowContext {
  readonly registrationIds: readonly string[];
  readonly verdict: VendorVerdict;
}

function readRow(row: CodeRow, { retryAfterMs }: VendorResponse, { registrationIds, verdict }: RowContext): Reading {
  if ('token' in row) return { kind: 'token-refused', ...verdict };
  if ('fault' in row) throw new ChannelFault(row.fault, row.words, { ...verdict, retryAfterMs });
  const outcome: Outcome = { kind: 'discarded', reason: row.devices, ...verdict };
  return { kind: 'outcomes', outcomes: registrationIds.map(() => outcome) };
}

const GONE: Outcome = {
  kind: 'discarded',
  reason: 'registration-gone',
  vendorCode: PARTLY_OK.code,
  vendorMessage: PARTLY_OK.words,
};

function accepted(
  { requestId }: Answer,
  registrationIds: readonly string[],
  refused: ReadonlySet<string> = new Set(),
): Reading {
  const outcome: Outcome = { kind: 'accepted', ...(requestId ? { vendorMessageId: requestId } : {}) };
  // Looking an address up hashes all of it: not done where nobody was refused.
  const outcomeOf = refused.size === 0 ? () => outcome : (id: string) => (refused.has(id) ? GONE : outcome);
  return { kind: 'outcomes', outcomes: registrationIds.map(outcomeOf) };
}

function refusedTokens({ code, msg = '' }: Answer, response: VendorResponse): ReadonlySet<string> {
  const parsed = refusedTokensSchema.safeParse(tryJson(msg));
  if (parsed.success) return new Set(parsed.data.illegal_tokens);
  // Some were taken, and nobody knows which.
  throw new ChannelFault('unknown-outcome', `code ${code} without a list of the refused tokens`, {
    vendorCode: code,
    vendorMessage: response.body.slice(0, 200),
  });
}

const verdictOf = ({ code, msg }: Answer, row?: CodeRow): { vendorCode: string; vendorMessage: string } => ({
  vendorCode: code,
  vendorMessage: msg || (row?.words ?? ''),
});
