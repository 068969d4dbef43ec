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
import { type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { DEVICE_CODES, OK_CODE, REQUEST_CODES, UNKNOWN_DEVICE, type DeviceRow } from './codes';

const wordSchema = z.string().optional().catch(undefined);

const refusedSchema = z
  .looseObject({ code: z.string().refine((code) => code !== OK_CODE), message: wordSchema })
  .transform(({ code, message }) => ({ kind: 'refused' as const, code, message }));

/** Code to the targets it concerns; nothing, in one of three spellings, when all were taken. */
const valueSchema = z.union([
  z.record(z.string(), z.array(z.string())),
  z
    .literal('')
    .nullish()
    .transform(() => ({}) as Record<string, string[]>),
]);

const sentSchema = z
  .looseObject({ code: z.literal(OK_CODE), value: valueSchema, msgId: wordSchema })
  .transform(({ value, msgId }) => ({ kind: 'sent' as const, value, msgId }));

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

function sentOutcomes({ value, msgId }: Sent, { registrationIds, truncated }: AnswerContext): readonly Outcome[] {
  const refused = new Map<string, Outcome>();
  for (const [code, targets] of Object.entries(value)) {
    const outcome = outcomeOf(code, DEVICE_CODES[code] ?? UNKNOWN_DEVICE);
    for (const target of targets) refused.set(target, outcome);
  }
  const taken = accepted(msgId || undefined, truncated);
  return registrationIds.map((id) => refused.get(id) ?? taken);
}

function outcomeOf(vendorCode: string, row: DeviceRow, vendorMessage = row.words): Outcome {
  if ('discard' in row) return { kind: 'discarded', reason: row.discard, vendorCode, vendorMessage };
  const { words: _, ...deferral } = row;
  return { kind: 'deferred', ...deferral, vendorCode, vendorMessage };
}

function refusedOutcomes(answer: Refused, response: VendorResponse, context: AnswerContext): readonly Outcome[] {
  const { registrationIds, now } = context;
  const row = DEVICE_CODES[answer.code];
  if (row !== undefined && speaksAboutAll(answer.code, registrationIds)) {
    return registrationIds.map(() => outcomeOf(answer.code, row, answer.message || row.words));
  }
  throw faultOf(answer, response, now);
}

/**
 * The vendor's Node SDK of 2017 lists codes of single targets as general ones too. A dead registration is believed for
 * a list of one only: it takes a device out of the audience.
 */
function speaksAboutAll(code: string, registrationIds: readonly string[]): boolean {
  const row = REQUEST_CODES[code];
  return row === undefined || ('device' in row && registrationIds.length === 1);
}

function faultOf({ code, message }: Refused, response: VendorResponse, now: number): ChannelFault {
  const row = REQUEST_CODES[code];
  const details = {
    vendorCode: code,
    vendorMessage: message || row?.words,
    retryAfterMs: response.retryAfterMs,
  };
  if (row === undefined) {
    return faultOfStatus(response) ?? new ChannelFault('unrecognised-answer', `code ${code}`, details);
  }
  if ('device' in row) return new ChannelFault('batch-refused', row.words, details);
  const retryAfterMs = row.fault === 'quota-exceeded' ? untilMidnightInChina(now) : details.retryAfterMs;
  return new ChannelFault(row.fault, row.words, { ...details, retryAfterMs });
}
