import { accepted, ChannelFault, untilHourInChina, type AnswerForm, type Sent } from '@pushfleet/channel-kit';
import type { Accepted, Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, OK_CODE, USER_STATUS, type CodeRow } from './codes';

const HOUR_MS = 3_600_000;
/** Operation messages are sent from 07:00 to 23:00 GMT+8. */
const MORNING_MS = 7 * HOUR_MS;

const codeSchema = z.union([z.int(), z.string().regex(/^\d+$/)]).transform(String);
const invalidUserSchema = z.object({
  /** A device that is named did not get the message, whatever is said of it. */
  status: codeSchema.catch('unknown'),
  userid: z.union([z.string(), z.number()]).transform(String),
});

export const answerSchema = z.object({
  result: codeSchema,
  desc: z.string().catch(''),
  authToken: z.string().nullish(),
  taskId: z
    .union([z.string(), z.int()])
    .nullish()
    .transform((id) => (id === undefined || id === null ? undefined : String(id))),
  invalidUser: invalidUserSchema.optional().catch(undefined),
  /** An entry that cannot be read says nothing of the others. */
  invalidUsers: z.array(invalidUserSchema.nullable().catch(null)).nullish(),
});

export type Answer = z.infer<typeof answerSchema>;

export const ANSWERS: AnswerForm<Answer> = {
  schema: answerSchema,
  isKnown: ({ result }) => result === OK_CODE || Object.hasOwn(CODES, result),
};
type InvalidUser = z.infer<typeof invalidUserSchema>;

export function readSingle(answer: Answer, sent: Sent): readonly Outcome[] {
  if (answer.result !== OK_CODE) return readRefusal(answer, sent);
  return readSuccess(answer, sent, answer.taskId);
}

export function readList(answer: Answer, sent: Sent & { readonly taskId: string }): readonly Outcome[] {
  if (answer.result !== OK_CODE) return readRefusal(answer, sent);
  return readSuccess(answer, sent, sent.taskId);
}

/** Devices that the answer does not name were accepted. */
function readSuccess(
  { invalidUser, invalidUsers }: Answer,
  sent: Sent,
  taskId: string | undefined,
): readonly Outcome[] {
  const invalid = new Map(
    [invalidUser, ...(invalidUsers ?? [])].flatMap((user) => (user ? [[user.userid, user] as const] : [])),
  );
  const accepted = acceptance(sent, taskId);
  return sent.registrationIds.map((id) => {
    const user = invalid.get(id);
    return user ? invalidOutcome(user) : accepted;
  });
}

/** A status that is not documented closes the device without retiring it. */
function invalidOutcome({ status }: InvalidUser): Outcome {
  const { words, device } = USER_STATUS[status] ?? { words: 'invalid user', device: 'message-rejected' };
  return { kind: 'discarded', reason: device, vendorCode: `status ${status}`, vendorMessage: words };
}

export function readTaskId(answer: Answer, now: number): string {
  if (answer.result !== OK_CODE) throw faultOf(answer, now);
  if (answer.taskId !== undefined) return answer.taskId;
  // Only saved so far: no device can have got it.
  throw new ChannelFault('vendor-error', 'vivo: no taskId in the answer', { vendorCode: OK_CODE });
}

/** The fault that a refused call stands for. */
export function faultOf({ result, desc }: Pick<Answer, 'result' | 'desc'>, now: number): ChannelFault {
  const row = CODES[result];
  const fault = row && 'fault' in row ? row : undefined;
  const message = `vivo answered ${result}: ${row?.words ?? 'a code that is not documented'}`;
  return new ChannelFault(fault?.fault ?? 'unrecognised-answer', message, {
    vendorCode: result,
    vendorMessage: desc.slice(0, 200),
    retryAfterMs:
      fault?.until === undefined ? undefined : untilHourInChina(fault.until === 'morning' ? MORNING_MS : 0, now),
  });
}

function readRefusal(answer: Answer, sent: Sent): readonly Outcome[] {
  const row: CodeRow | undefined = CODES[answer.result];
  if (!row || 'fault' in row) throw faultOf(answer, sent.now);
  const verdict = { vendorCode: answer.result, vendorMessage: answer.desc.slice(0, 200) || row.words };
  if (sent.registrationIds.length > 1)
    throw new ChannelFault('batch-refused', `vivo answered ${answer.result} for a whole batch`, verdict);
  const status = answer.invalidUser?.status ?? '';
  return [{ kind: 'discarded', reason: USER_STATUS[status]?.device ?? row.device, ...verdict }];
}

const acceptance = (sent: Sent, id: string | undefined): Accepted => accepted(id, sent.truncated);
