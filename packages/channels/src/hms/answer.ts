import {
  accepted,
  ChannelFault,
  faultOfStatus,
  parseAnswer,
  readJson,
  readRow,
  type CodeRow,
  type Reading,
  type VendorResponse,
} from '@pushfleet/channel-kit';
import { type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, OK_CODE, PARTLY_OK, STATUSES } from './codes';

const answerSchema = z.looseObject({
  code: z.union([z.string(), z.int()]).transform(String),
  msg: z.string().optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

const refusedTokensSchema = z.looseObject({ illegal_tokens: z.array(z.string()) });

type Answer = z.infer<typeof answerSchema>;

export function readAnswer(response: VendorResponse, registrationIds: readonly string[]): Reading {
  const unreadable = readStatus(response);
  if (unreadable) return unreadable;
  const answer = parseAnswer(answerSchema, response);
  if (response.status === 200 && answer.code === OK_CODE) return taken(answer, registrationIds);
  if (response.status === 200 && answer.code === PARTLY_OK.code) {
    return taken(answer, registrationIds, refusedTokens(answer, response));
  }
  const row = CODES[answer.code] ?? STATUSES[response.status];
  if (row) return readRow(row, response, { registrationIds, verdict: verdictOf(answer, row) });
  throw faultOfStatus(response) ?? new ChannelFault('unrecognised-answer', `code ${answer.code}`, verdictOf(answer));
}

/** An answer whose body holds no code, when its HTTP status says enough by itself. */
function readStatus(response: VendorResponse): Reading | undefined {
  const row = STATUSES[response.status];
  if (!row || answerSchema.safeParse(readJson(response.body)).success) return undefined;
  const verdict = { vendorCode: String(response.status), vendorMessage: row.words };
  return readRow(row, response, { registrationIds: [], verdict });
}

const GONE: Outcome = {
  kind: 'discarded',
  reason: 'registration-gone',
  vendorCode: PARTLY_OK.code,
  vendorMessage: PARTLY_OK.words,
};

function taken(
  { requestId }: Answer,
  registrationIds: readonly string[],
  refused: ReadonlySet<string> = new Set(),
): Reading {
  const outcome = accepted(requestId || undefined);
  // Looking an address up hashes all of it: not done where nobody was refused.
  const outcomeOf = refused.size === 0 ? () => outcome : (id: string) => (refused.has(id) ? GONE : outcome);
  return { kind: 'outcomes', outcomes: registrationIds.map(outcomeOf) };
}

function refusedTokens({ code, msg = '' }: Answer, response: VendorResponse): ReadonlySet<string> {
  const parsed = refusedTokensSchema.safeParse(readJson(msg));
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
