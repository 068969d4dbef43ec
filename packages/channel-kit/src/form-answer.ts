import type { Outcome, VendorVerdict } from '@pushfleet/domain';
import { z } from 'zod';
import type { CredentialCheck } from './vendor-session';
import { untilMidnightInChina } from './china-day';
import type { RequestRow } from './code-row';
import { checkOf } from './credentials';
import { ChannelFault } from './fault';
import type { Sent } from './outcomes';
import { faultOfStatus, parseAnswer } from './parse-answer';
import type { VendorResponse } from './vendor-http';

/** A vendor without tokens, whose answer is either a message that was taken or a code. */
export interface FormAnswers<Taken, Refused> {
  /** Answer to a message that was taken. */
  readonly taken: z.ZodType<Taken>;
  /** Answer to credentials that are right, from a call that sends nothing. */
  readonly right: z.ZodType;
  readonly refused: z.ZodType<Refused>;
  outcomesOf(answer: Taken, sent: Sent): readonly Outcome[];
  /** The outcomes of a refusal that speaks of the devices alone. */
  outcomesOfRefusal(answer: Refused, sent: Sent): readonly Outcome[] | undefined;
  /** What the refusal says, in the vendor's words, and the row of its code. */
  meaningOf(answer: Refused): { readonly row: RequestRow | undefined; readonly verdict: VendorVerdict };
}

export interface FormReader {
  readAnswer(response: VendorResponse, sent: Sent): readonly Outcome[];
  readCheck(response: VendorResponse, now: number): CredentialCheck;
}

export function formReader<Taken, Refused>(vendor: FormAnswers<Taken, Refused>): FormReader {
  const refused = vendor.refused.transform((answer) => ({ kind: 'refused' as const, answer }));
  const sendSchema = z.union([vendor.taken.transform((answer) => ({ kind: 'taken' as const, answer })), refused]);
  const checkSchema = z.union([vendor.right.transform(() => ({ kind: 'right' as const })), refused]);
  const faultOf = (answer: Refused, response: VendorResponse, now: number): ChannelFault =>
    faultOfRequest(vendor.meaningOf(answer), response, now);
  return {
    readAnswer(response, sent) {
      const read = parseAnswer(sendSchema, response);
      if (read.kind === 'taken') return vendor.outcomesOf(read.answer, sent);
      const outcomes = vendor.outcomesOfRefusal(read.answer, sent);
      if (outcomes) return outcomes;
      throw faultOf(read.answer, response, sent.now);
    },
    readCheck(response, now) {
      const read = parseAnswer(checkSchema, response);
      return read.kind === 'right' ? { ok: true } : checkOf(faultOf(read.answer, response, now));
    },
  };
}

function faultOfRequest(
  { row, verdict }: ReturnType<FormAnswers<unknown, unknown>['meaningOf']>,
  response: VendorResponse,
  now: number,
): ChannelFault {
  const details = { ...verdict, retryAfterMs: response.retryAfterMs };
  if (row === undefined)
    return faultOfStatus(response) ?? new ChannelFault('unrecognised-answer', `code ${verdict.vendorCode}`, details);
  // One device of many is meant: smaller batches find it.
  if ('device' in row) return new ChannelFault('batch-refused', row.words, details);
  const retryAfterMs = row.until === undefined ? details.retryAfterMs : untilMidnightInChina(now);
  return new ChannelFault(row.fault, row.words, { ...details, retryAfterMs });
}
