import {
  accepted,
  ChannelFault,
  readCoded,
  vendorJson,
  type CodedVendor,
  type Reading,
  type VendorResponse,
} from '@pushfleet/channel-kit';
import { type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, OK_CODE, PARTLY_OK, STATUSES } from './codes';

const answerSchema = z
  .looseObject({
    code: z.union([z.string(), z.int()]).transform(String),
    msg: z.string().optional().catch(undefined),
    requestId: z.string().optional().catch(undefined),
  })
  .transform(({ code, msg, requestId }) => ({ code, words: msg, requestId }));

const refusedTokensSchema = z.looseObject({ illegal_tokens: z.array(z.string()) });

type Answer = z.infer<typeof answerSchema>;

const VENDOR: CodedVendor<Answer> = {
  schema: answerSchema,
  codes: CODES,
  statuses: STATUSES,
  taken(answer, response, registrationIds) {
    if (answer.code === OK_CODE) return taken(answer, registrationIds);
    if (answer.code !== PARTLY_OK.code) return undefined;
    return taken(answer, registrationIds, refusedTokens(answer, response, registrationIds));
  },
  undocumented: (code, verdict) => new ChannelFault('unrecognised-answer', `code ${code}`, verdict),
};

export const readAnswer = (response: VendorResponse, registrationIds: readonly string[]): Reading =>
  readCoded(VENDOR, response, registrationIds);

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
  // A look-up hashes the whole address, so it is left out when no address was refused.
  const outcomeOf = refused.size === 0 ? () => outcome : (id: string) => (refused.has(id) ? GONE : outcome);
  return { kind: 'outcomes', outcomes: registrationIds.map(outcomeOf) };
}

function refusedTokens(
  { code, words = '' }: Answer,
  response: VendorResponse,
  registrationIds: readonly string[],
): ReadonlySet<string> {
  const { data } = refusedTokensSchema.safeParse(vendorJson(words));
  const refused = new Set(data?.illegal_tokens);
  if (registrationIds.some((id) => refused.has(id))) return refused;
  // Some tokens were taken, and the answer does not say which.
  throw new ChannelFault('unknown-outcome', `code ${code} names none of the tokens as refused`, {
    vendorCode: code,
    vendorMessage: response.body.slice(0, 200),
  });
}
