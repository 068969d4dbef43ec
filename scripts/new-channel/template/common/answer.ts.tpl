import {
  accepted,
  ChannelFault,
  readCoded,
  type CodedVendor,
  type Reading,
  type VendorResponse,
} from '@pushfleet/channel-kit';
import { type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, OK_CODE, REFUSED_TOKEN, STATUSES } from './codes';

/** The fields that are used, and no others. */
const answerSchema = z
  .looseObject({
    code: z.union([z.string(), z.int()]).transform(String),
    message: z.string().optional().catch(undefined),
    messageId: z.string().optional().catch(undefined),
    refused: z.array(z.string()).optional(),
  })
  .transform(({ message, ...answer }) => ({ ...answer, words: message }));

type Answer = z.infer<typeof answerSchema>;

const VENDOR: CodedVendor<Answer> = {
  schema: answerSchema,
  codes: CODES,
  statuses: STATUSES,
  taken: (answer, _, registrationIds) => (answer.code === OK_CODE ? taken(answer, registrationIds) : undefined),
  undocumented: (code, verdict) => new ChannelFault('unrecognised-answer', `code ${code}`, verdict),
};

export const readAnswer = (response: VendorResponse, registrationIds: readonly string[]): Reading =>
  readCoded(VENDOR, response, registrationIds);

const GONE: Outcome = {
  kind: 'discarded',
  reason: 'registration-gone',
  vendorCode: REFUSED_TOKEN.code,
  vendorMessage: REFUSED_TOKEN.words,
};

function taken({ messageId, refused = [] }: Answer, registrationIds: readonly string[]): Reading {
  const gone = new Set(refused);
  const outcome = accepted(messageId);
  return { kind: 'outcomes', outcomes: registrationIds.map((id) => (gone.has(id) ? GONE : outcome)) };
}
