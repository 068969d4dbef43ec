import { setTimeout as delay } from 'node:timers/promises';
import { RequestError } from './errors';

export interface Patience {
  /** Between the first refusal and giving up. */
  readonly limitMs: number;
  /** Told before each wait. */
  readonly onWait: (error: RequestError) => void;
  readonly signal: AbortSignal;
}

/** Repeats a request that may be repeated while the console cannot serve or cannot be reached. */
export async function patiently<T>(request: () => Promise<T>, { limitMs, onWait, signal }: Patience): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RequestError) || error.retryAfterMs === undefined) throw error;
      if (signal.aborted || Date.now() - startedAt + error.retryAfterMs > limitMs) throw error;
      onWait(error);
      await delay(error.retryAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
