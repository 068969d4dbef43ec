/**
 * Aborted after so many ms, also where `AbortSignal.any` made another signal of it. The signal of `AbortSignal.timeout` is lost to the
 * garbage collector where only that one knows it, and never aborts (Node 20); one with a listener is kept.
 */
export function lastingTimeout(ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms);
  signal.addEventListener('abort', () => undefined, { once: true });
  return signal;
}
