import {
  accepted,
  ChannelFault,
  checkOf,
  faultOfStatus,
  parseAnswer,
  untilMidnightInChina,
  type CredentialCheck,
  type VendorResponse,
} from '@pushfleet/channel-kit';
import { type Discarded, type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, NO_VALID_TARGETS, OK_CODE, type CodeRow } from './codes';

const wordSchema = z.string().optional().catch(undefined);

const refusedSchema = z
  .looseObject({ code: z.int().refine((code) => code !== OK_CODE), reason: wordSchema, description: wordSchema })
  .transform((answer) => ({ kind: 'refused' as const, ...answer }));

const sentSchema = z
  .looseObject({
    code: z.literal(OK_CODE),
    data: z.looseObject({ id: z.string().optional(), bad_regids: z.string().optional() }),
  })
  .transform(({ data }) => ({ kind: 'sent' as const, id: data.id, badIds: data.bad_regids ?? '' }));

const sendAnswerSchema = z.union([sentSchema, refusedSchema]);

const checkAnswerSchema = z.union([
  z.looseObject({ code: z.literal(OK_CODE) }).transform(() => ({ kind: 'right' as const })),
  refusedSchema,
]);

type Sent = z.infer<typeof sentSchema>;
type Refused = z.infer<typeof refusedSchema>;

export interface AnswerContext {
  readonly registrationIds: readonly string[];
  readonly truncated: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function readAnswer(response: VendorResponse, context: AnswerContext): readonly Outcome[] {
  const answer = parseAnswer(sendAnswerSchema, response);
  return answer.kind === 'sent' ? sentOutcomes(answer, context) : refusedOutcomes(answer, response, context);
}

export function readCheck(response: VendorResponse, now: number): CredentialCheck {
  const answer = parseAnswer(checkAnswerSchema, response);
  if (answer.kind === 'right') return { ok: true };
  return checkOf(faultOf(answer, response, now));
}

function sentOutcomes(answer: Sent, { registrationIds, truncated }: AnswerContext): readonly Outcome[] {
  const bad = new Set(answer.badIds.split(',').filter((id) => id !== ''));
  const taken = accepted(answer.id, truncated);
  return registrationIds.map((id) => (bad.has(id) ? gone({ vendorMessage: 'bad_regids' }) : taken));
}

function refusedOutcomes(answer: Refused, response: VendorResponse, context: AnswerContext): readonly Outcome[] {
  const { registrationIds } = context;
  const row = deviceRow(answer);
  if (row !== undefined && registrationIds.length === 1)
    return [gone({ ...verdictOf(answer), ...(row.mayPass ? { mayPass: true } : {}) })];
  // The code alone does not tell an invalid list from a failed send; the reason text is the vendor's only sign.
  const isListGone = answer.code === NO_VALID_TARGETS.code && answer.reason === NO_VALID_TARGETS.reason;
  if (isListGone) return registrationIds.map(() => gone(verdictOf(answer)));
  throw faultOf(answer, response, context.now);
}

function faultOf(answer: Refused, response: VendorResponse, now: number): ChannelFault {
  const row = CODES[String(answer.code)];
  const details = { ...verdictOf(answer), retryAfterMs: response.retryAfterMs };
  if (row === undefined) {
    return faultOfStatus(response) ?? new ChannelFault('unrecognised-answer', `code ${answer.code}`, details);
  }
  if ('device' in row) return new ChannelFault('batch-refused', row.words, details);
  const retryAfterMs = row.fault === 'quota-exceeded' ? untilMidnightInChina(now) : details.retryAfterMs;
  return new ChannelFault(row.fault, row.words, { ...details, retryAfterMs });
}

function deviceRow(answer: Refused): Extract<CodeRow, { device: unknown }> | undefined {
  const row = CODES[String(answer.code)];
  return row !== undefined && 'device' in row ? row : undefined;
}

const gone = (verdict: Omit<Discarded, 'kind' | 'reason'>): Discarded => ({
  kind: 'discarded',
  reason: 'registration-gone',
  ...verdict,
});

function verdictOf({ code, reason, description }: Refused): { vendorCode: string; vendorMessage: string } {
  const words = reason && description ? `${reason} (${description})` : reason || description;
  return { vendorCode: String(code), vendorMessage: words || (CODES[String(code)]?.words ?? '') };
}
