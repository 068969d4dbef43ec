import type { Deferred, Reason } from '@pushfleet/domain';
import type { BatchResult, Verdict } from '../verdict';
import type { CallEnd } from './call-limit';

/** What the end of a call says about the vendor: it answered, could not be asked, may have taken it, or nobody called it. */
export type CallResult =
  | { readonly kind: 'fault'; readonly reason: Reason }
  | { readonly kind: 'unknown'; readonly reason: 'unknown-outcome' }
  | { readonly kind: 'answer' }
  | { readonly kind: 'no-call' };

const UNKNOWN: CallResult = { kind: 'unknown', reason: 'unknown-outcome' };

/** Refusals, throttling included, are answers. */
const isInterruption = (reason: Reason): boolean => reason === 'unreachable' || reason === 'vendor-error';

export function callResult(result: BatchResult): CallResult {
  if ('retry' in result) {
    const { booksAs, isUnknown } = result.retry;
    if (isUnknown === true) return UNKNOWN;
    if (isInterruption(booksAs)) return { kind: 'fault', reason: booksAs };
    return { kind: booksAs === 'internal-error' || booksAs === 'unknown-outcome' ? 'no-call' : 'answer' };
  }
  if (result.verdicts.some(isUnknownOutcome)) return UNKNOWN;
  const interrupted = result.verdicts.find(isInterrupted);
  if (interrupted) return { kind: 'fault', reason: interrupted.reason };
  return { kind: result.verdicts.some(isVendors) ? 'answer' : 'no-call' };
}

/** Undefined when nobody was called. */
export function callEnd(result: BatchResult): CallEnd | undefined {
  const { kind } = callResult(result);
  if (kind === 'no-call') return undefined;
  if ('retry' in result && result.retry.pause === 'wait') return 'throttled';
  return kind === 'answer' ? 'answered' : 'lost';
}

const isUnknownOutcome = (verdict: Verdict): boolean => 'reason' in verdict && verdict.reason === 'unknown-outcome';

/** The result of a part of the batch that was sent by itself. */
const isInterrupted = (verdict: Verdict): verdict is Deferred =>
  verdict.kind === 'deferred' && isInterruption(verdict.reason);

/** Our own refusals carry no code of the vendor. */
const isVendors = (verdict: Verdict): boolean =>
  verdict.kind === 'accepted' || verdict.vendorCode !== undefined || verdict.reason === 'credentials-rejected';
