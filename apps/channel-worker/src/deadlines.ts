/** Ends the calls of a process: each at its own deadline, all of them when the process must stop. */
export interface Deadlines {
  begin(call: { readonly isAddressed: boolean; readonly ttlMs: number }): CallDeadline;
}

export interface CallDeadline {
  readonly signal: AbortSignal;
  /** Called when the call has ended. */
  end(): void;
}

export interface DeadlineSettings {
  readonly cutoff: AbortSignal;
  readonly addressedMs: number;
  readonly campaignMs: number;
}

/** A push that is about to expire is given this long. */
const LEAST_MS = 1000;

export function openDeadlines({ cutoff, addressedMs, campaignMs }: DeadlineSettings): Deadlines {
  const underWay = new Set<AbortController>();
  const abortAll = (): void => underWay.forEach((call) => call.abort());
  cutoff.addEventListener('abort', abortAll, { once: true });
  return {
    begin({ isAddressed, ttlMs }) {
      const call = new AbortController();
      underWay.add(call);
      if (cutoff.aborted) call.abort();
      const afterMs = Math.min(isAddressed ? addressedMs : campaignMs, Math.max(LEAST_MS, ttlMs));
      const timer = setTimeout(() => call.abort(new DOMException('too late', 'TimeoutError')), afterMs);
      return {
        signal: call.signal,
        end() {
          clearTimeout(timer);
          underWay.delete(call);
        },
      };
    },
  };
}
