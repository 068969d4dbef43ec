import { callResult } from './call-result';
import type { BatchResult } from '../verdict';

const retry = (booksAs: 'unreachable' | 'vendor-error' | 'expired' | 'internal-error'): BatchResult => ({
  retry: { pause: 'backoff', retryAfterMs: undefined, booksAs, words: {} },
});

it.each(['unreachable', 'vendor-error'] as const)('a batch that ends %s is a fault', (reason) => {
  expect(callResult(retry(reason))).toEqual({ kind: 'fault', reason });
  const half = { kind: 'deferred', retryAfterMs: 1, reason } as const;
  expect(callResult({ verdicts: [{ kind: 'accepted' }, half] })).toEqual({ kind: 'fault', reason });
});

it('throttling is an answer', () => {
  expect(callResult(retry('expired'))).toEqual({ kind: 'answer' });
});

it('a refusal by the vendor is an answer, one of ours is none', () => {
  const gone = { kind: 'discarded', reason: 'registration-gone' } as const;
  expect(callResult({ verdicts: [{ ...gone, vendorCode: '80300007' }] })).toEqual({ kind: 'answer' });
  expect(callResult({ verdicts: [{ kind: 'discarded', reason: 'payload-too-large' }] })).toEqual({ kind: 'no-call' });
});

it('a defect of ours says nothing about the vendor', () => {
  expect(callResult(retry('internal-error'))).toEqual({ kind: 'no-call' });
});

it('a call that may have been taken is told apart, whether it is repeated or not', () => {
  const unknown = { kind: 'unknown', reason: 'unknown-outcome' };
  expect(callResult({ verdicts: [{ kind: 'failed', reason: 'unknown-outcome' }] })).toEqual(unknown);
  const again = { pause: 'backoff', retryAfterMs: undefined, booksAs: 'unknown-outcome', words: {} } as const;
  expect(callResult({ retry: { ...again, isUnknown: true } })).toEqual(unknown);
  // Cut off by this process: it says nothing about the vendor.
  expect(callResult({ retry: { ...again, isUnknown: false } })).toEqual({ kind: 'no-call' });
});
