import type { DiscardReason, Outcome, VendorVerdict } from '@pushfleet/domain';
import { ChannelFault, type FaultCode } from './fault';
import type { VendorResponse } from './vendor-http';

/** A code of a vendor speaks about the whole request, about every device of it, or about the access token. */
export type CodeRow = { readonly words: string } & (
  { readonly fault: FaultCode } | { readonly devices: DiscardReason } | { readonly token: 'refused' }
);

/** A code of a whole request speaks about the request, or about the device that the request was sent to. */
export type RequestRow = { readonly words: string } &
  /** `until`: the day of the vendor ends in China, and it asks for no other pause. */
  (
    | { readonly fault: FaultCode; readonly until?: 'midnight' }
    /** `mayPass`: true today, and perhaps not tomorrow. */
    | { readonly device: DiscardReason; readonly mayPass?: true }
  );

/** Rows of codes that mean the same fault, from the vendor's words for each. */
export const faults = <Fault extends FaultCode>(
  fault: Fault,
  wording: Readonly<Record<string | number, string>>,
): Readonly<Record<string, { readonly words: string; readonly fault: Fault }>> =>
  Object.fromEntries(Object.entries(wording).map(([code, words]) => [code, { words, fault }]));

/** Rows of codes by which the quota of the day is spent, until midnight in China. */
export const spentToday = (
  wording: Readonly<Record<string | number, string>>,
): Readonly<Record<string, { readonly words: string; readonly fault: 'quota-exceeded'; readonly until: 'midnight' }>> =>
  Object.fromEntries(
    Object.entries(wording).map(([code, words]) => [code, { words, fault: 'quota-exceeded', until: 'midnight' }]),
  );

/** What an answer to a call with an access token says. */
export type Reading =
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | ({ readonly kind: 'token-refused' } & VendorVerdict);

export interface RowContext {
  readonly registrationIds: readonly string[];
  readonly verdict: VendorVerdict;
}

/** Carries out what the row of an answer's code says; throws the fault that it stands for. */
export function readRow(row: CodeRow, { retryAfterMs }: VendorResponse, context: RowContext): Reading {
  const { registrationIds, verdict } = context;
  if ('token' in row) return { kind: 'token-refused', ...verdict };
  if ('fault' in row) throw new ChannelFault(row.fault, row.words, { ...verdict, retryAfterMs });
  const outcome: Outcome = { kind: 'discarded', reason: row.devices, ...verdict };
  return { kind: 'outcomes', outcomes: registrationIds.map(() => outcome) };
}
