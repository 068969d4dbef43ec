import { accepted, ChannelFault, untilMidnightInChina, type AnswerForm, type Sent } from '@pushfleet/channel-kit';
import { type Accepted, type Deferred, type Discarded, type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, DUPLICATE, INVALID_ARGUMENTS, OK_CODE, type CodeRow } from './codes';

const BUSY_RETRY_MS = 60_000;

const codeSchema = z.union([z.int(), z.string().regex(/^-?\d+$/)]).transform(String);

export const answerSchema = z.object({
  code: codeSchema,
  message: z.string().catch(''),
  data: z.unknown().optional(),
});

export type Answer = z.infer<typeof answerSchema>;

export const ANSWERS: AnswerForm<Answer> = {
  schema: answerSchema,
  isKnown: ({ code }) => code === OK_CODE || Object.hasOwn(CODES, code),
};

interface Verdict {
  readonly code: string;
  readonly message: string;
}

const unicastSchema = z.object({ messageId: z.string().optional(), message_id: z.string().optional() });

export function readUnicast(answer: Answer, sent: Sent): readonly Outcome[] {
  if (answer.code !== OK_CODE) return readRefusal(answer, sent);
  const { data } = unicastSchema.safeParse(answer.data);
  return acceptAll(sent, data?.messageId ?? data?.message_id);
}

const idSchema = z.string().optional().catch(undefined);
const broadcastSchema = z.looseObject({ task_id: idSchema, message_id: idSchema, messageId: idSchema }).catch({});

/** The numeric keys of `data` are codes, their values the registrations that failed with it. */
export function readBroadcast(answer: Answer, sent: Sent): readonly Outcome[] {
  if (answer.code !== OK_CODE) return readRefusal(answer, sent);
  const data = broadcastSchema.parse(answer.data);
  const refused = new Map<string, string>();
  for (const [key, ids] of Object.entries(data))
    if (/^-?\d+$/.test(key) && Array.isArray(ids)) for (const id of ids) refused.set(String(id), key);
  const accepted = acceptance(sent, data.task_id ?? data.message_id ?? data.messageId);
  return sent.registrationIds.map((id) => {
    const code = refused.get(id);
    return code === undefined ? accepted : deviceOutcome({ code, message: '' }, sent);
  });
}

const absentIfNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

const batchSchema = z.array(
  z.object({
    messageId: absentIfNull(z.string()),
    registrationId: absentIfNull(z.string()),
    errorCode: absentIfNull(codeSchema),
    errorMessage: absentIfNull(z.string()),
  }),
);
type BatchItem = z.infer<typeof batchSchema>[number];

export function readUnicastBatch(answer: Answer, sent: Sent): readonly Outcome[] {
  if (answer.code !== OK_CODE) return readRefusal(answer, sent);
  const items = batchSchema.safeParse(answer.data);
  if (!items.success)
    throw new ChannelFault('unknown-outcome', 'oppo: data of a batch is not a list', { vendorCode: OK_CODE });
  // Of a device that is listed twice, what was taken counts: nobody is sent to again who may have the message.
  const byId = new Map(items.data.toSorted(takenLast).map((item) => [item.registrationId, item]));
  return sent.registrationIds.map((id, index) => {
    const item = byId.get(id) ?? unnamed(items.data[index]);
    return item ? itemOutcome(item, sent) : LEFT_OUT;
  });
}

const isTaken = ({ errorCode = OK_CODE }: BatchItem): boolean => errorCode === OK_CODE;
const takenLast = (a: BatchItem, b: BatchItem): number => Number(isTaken(a)) - Number(isTaken(b));

/** An item that names no device is of the one at its place. */
const unnamed = (item: BatchItem | undefined): BatchItem | undefined =>
  item?.registrationId === undefined ? item : undefined;

/** The call was taken, and the answer does not say what became of this device. */
const LEFT_OUT: Deferred = {
  kind: 'deferred',
  reason: 'unknown-outcome',
  retryAfterMs: 0,
  maxTries: 1,
  vendorCode: OK_CODE,
  vendorMessage: 'the answer leaves this device out',
};

function itemOutcome({ messageId, errorCode = OK_CODE, errorMessage = '' }: BatchItem, sent: Sent): Outcome {
  if (errorCode === OK_CODE) return acceptance(sent, messageId);
  return deviceOutcome({ code: errorCode, message: errorMessage }, sent);
}

const savedSchema = z.object({ message_id: z.string().min(1) });

/** The id of a saved message; undefined when the vendor has one for this `app_message_id` and does not tell it. */
export function readSaved(answer: Answer, now: number): string | undefined {
  if (answer.code !== OK_CODE && answer.code !== DUPLICATE) throw faultOf(answer, now);
  const saved = savedSchema.safeParse(answer.data);
  if (saved.success) return saved.data.message_id;
  if (answer.code === DUPLICATE) return undefined;
  // Only saved so far: no device can have got it.
  throw new ChannelFault('vendor-error', 'oppo: no message_id in the answer', { vendorCode: OK_CODE });
}

/** The fault that a refused call stands for. */
export function faultOf({ code, message }: Verdict, now: number): ChannelFault {
  const row = CODES[code];
  const known = row && 'fault' in row ? row : undefined;
  return new ChannelFault(
    known?.fault ?? 'unrecognised-answer',
    `oppo answered ${code}: ${row?.words ?? 'a code that is not documented'}`,
    {
      vendorCode: code,
      vendorMessage: message.slice(0, 200),
      retryAfterMs: known?.until === undefined ? undefined : untilMidnightInChina(now),
    },
  );
}

function readRefusal(answer: Answer, sent: Sent): readonly Outcome[] {
  const row = rowFor(answer);
  if (!row || 'fault' in row) throw faultOf(answer, sent.now);
  if ('accepted' in row) return acceptAll(sent, undefined);
  if (sent.registrationIds.length === 1) return [discarded(answer, row.device)];
  throw new ChannelFault('batch-refused', `oppo answered ${answer.code} for a whole batch`, {
    vendorCode: answer.code,
    vendorMessage: answer.message.slice(0, 200),
  });
}

function rowFor({ code, message }: Verdict): CodeRow | undefined {
  const blamesDevice = code === INVALID_ARGUMENTS && /registration/i.test(message);
  return blamesDevice ? { words: 'Invalid Arguments', device: 'registration-gone' } : CODES[code];
}

/**
 * The verdict on one device beside others that were accepted. A code that is not documented closes the device without
 * retiring it: repeating the batch would reach its neighbours twice.
 */
function deviceOutcome(verdict: Verdict, sent: Sent): Outcome {
  const row = rowFor(verdict);
  if (!row) return discarded(verdict, 'message-rejected');
  if ('accepted' in row) return acceptance(sent, undefined);
  if ('device' in row) return discarded(verdict, row.device);
  switch (row.fault) {
    case 'vendor-error':
    case 'throttled':
      return deferred(verdict);
    case 'quota-exceeded':
      return { ...deferred(verdict), retryAfterMs: untilMidnightInChina(sent.now), reason: 'quota-exceeded' };
    default:
      return discarded(verdict, 'message-rejected');
  }
}

const words = ({ code, message }: Verdict): { vendorCode: string; vendorMessage: string } => ({
  vendorCode: code,
  vendorMessage: message.slice(0, 200) || (CODES[code]?.words ?? ''),
});

const discarded = (verdict: Verdict, reason: Discarded['reason']): Discarded => ({
  kind: 'discarded',
  reason,
  ...words(verdict),
});

const deferred = (verdict: Verdict): Deferred => ({
  kind: 'deferred',
  retryAfterMs: BUSY_RETRY_MS,
  reason: 'vendor-error',
  ...words(verdict),
});

const acceptance = (sent: Sent, id: string | undefined): Accepted => accepted(id, sent.truncated);

function acceptAll(sent: Sent, id: string | undefined): readonly Outcome[] {
  const accepted = acceptance(sent, id);
  return sent.registrationIds.map(() => accepted);
}
