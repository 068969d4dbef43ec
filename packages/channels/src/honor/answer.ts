import {
  accepted,
  ChannelFault,
  parseAnswer,
  readCoded,
  type CodedVendor,
  type Reading,
  type VendorResponse,
} from '@pushfleet/channel-kit';
import { type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, EXPIRED_TOKEN, FAILED_TOKEN, OK_CODES, STATUSES } from './codes';

const tokens = z
  .array(z.string())
  .nullish()
  .transform((list) => new Set(list ?? []));

const listsSchema = z.looseObject({
  sendResult: z.boolean().optional(),
  requestId: z.string().optional().catch(undefined),
  failTokens: tokens,
  expireTokens: tokens,
});

const answerSchema = z
  .looseObject({
    code: z.union([z.string(), z.int()]).transform(String),
    message: z.string().optional().catch(undefined),
  })
  .transform(({ code, message }) => ({ code, words: message }));

type Lists = z.infer<typeof listsSchema>;

const VENDOR: CodedVendor<z.infer<typeof answerSchema>> = {
  schema: answerSchema,
  codes: CODES,
  statuses: STATUSES,
  taken: ({ code }, response, registrationIds) => (OK_CODES.has(code) ? taken(response, registrationIds) : undefined),
  /** The table of the vendor is not public: a code that is not in ours says no to this message, and to no device. */
  undocumented: (code, verdict) => new ChannelFault('message-rejected', `code ${code} is not documented`, verdict),
};

export const readAnswer = (response: VendorResponse, registrationIds: readonly string[]): Reading =>
  readCoded(VENDOR, response, registrationIds);

const RETRY_AFTER_MS = 60_000;
/** The vendor does not say why it failed for a token: once more may help, more often would only repeat it. */
const MAX_TRIES = 2;

const GONE: Outcome = {
  kind: 'discarded',
  reason: 'registration-gone',
  vendorCode: EXPIRED_TOKEN.code,
  vendorMessage: EXPIRED_TOKEN.words,
};

const LATER: Outcome = {
  kind: 'deferred',
  reason: 'vendor-error',
  retryAfterMs: RETRY_AFTER_MS,
  maxTries: MAX_TRIES,
  vendorCode: FAILED_TOKEN.code,
  vendorMessage: FAILED_TOKEN.words,
};

function taken(response: VendorResponse, registrationIds: readonly string[]): Reading {
  const { data } = parseAnswer(z.looseObject({ data: listsSchema }), response);
  const rest = restOf(data, response);
  return { kind: 'outcomes', outcomes: registrationIds.map((id) => outcomeOf(id, data, rest)) };
}

/** The verdict on devices that stand in neither list. */
function restOf({ sendResult, requestId, failTokens, expireTokens }: Lists, { body }: VendorResponse): Outcome {
  if (sendResult !== false) return accepted(requestId || undefined);
  if (failTokens.size + expireTokens.size > 0) return LATER;
  throw new ChannelFault('vendor-error', 'sendResult is false', {
    vendorCode: 'sendResult',
    vendorMessage: body.slice(0, 200),
  });
}

function outcomeOf(id: string, { failTokens, expireTokens }: Lists, rest: Outcome): Outcome {
  if (expireTokens.has(id)) return GONE;
  return failTokens.has(id) ? LATER : rest;
}
