import type { VendorVerdict } from '@pushfleet/domain';
import type { z } from 'zod';
import { readRow, type CodeRow, type Reading } from './code-row';
import type { ChannelFault } from './fault';
import { faultOfStatus, parseAnswer } from './parse-answer';
import type { VendorResponse } from './vendor-http';
import { vendorJson } from './vendor-json';

/** An answer that says with a code what became of the call. */
export interface CodedAnswer {
  readonly code: string;
  /** The vendor's words. */
  readonly words?: string | undefined;
}

/** How a vendor answers whose codes stand in tables. */
export interface CodedVendor<Answer extends CodedAnswer> {
  readonly schema: z.ZodType<Answer>;
  readonly codes: Readonly<Record<string, CodeRow>>;
  /** Consulted when the body holds no code that is known. */
  readonly statuses: Readonly<Record<number, CodeRow>>;
  /** What the answer to a call says that was taken; undefined for any other answer. Asked with HTTP 2xx alone. */
  taken(answer: Answer, response: VendorResponse, registrationIds: readonly string[]): Reading | undefined;
  /** The fault that an undocumented code stands for. */
  undocumented(code: string, verdict: VendorVerdict): ChannelFault;
}

export function readCoded<Answer extends CodedAnswer>(
  vendor: CodedVendor<Answer>,
  response: VendorResponse,
  registrationIds: readonly string[],
): Reading {
  const unreadable = readStatus(vendor, response);
  if (unreadable) return unreadable;
  const answer = parseAnswer(vendor.schema, response);
  const taken = isFine(response) ? vendor.taken(answer, response, registrationIds) : undefined;
  if (taken) return taken;
  const row = vendor.codes[answer.code] ?? vendor.statuses[response.status];
  const verdict = { vendorCode: answer.code, vendorMessage: answer.words || (row?.words ?? '') };
  if (row) return readRow(row, response, { registrationIds, verdict });
  throw faultOfStatus(response) ?? vendor.undocumented(answer.code, verdict);
}

const isFine = ({ status }: VendorResponse): boolean => status >= 200 && status < 300;

/** An answer whose body holds no code, when its HTTP status says enough by itself. */
function readStatus(
  { schema, statuses }: Pick<CodedVendor<CodedAnswer>, 'schema' | 'statuses'>,
  response: VendorResponse,
): Reading | undefined {
  const row = statuses[response.status];
  if (!row || schema.safeParse(vendorJson(response.body)).success) return undefined;
  const verdict = { vendorCode: String(response.status), vendorMessage: row.words };
  return readRow(row, response, { registrationIds: [], verdict });
}
