import { setTimeout as delay } from 'node:timers/promises';
import { RequestError } from './errors';
import type { Io } from './io';

export interface Patience {
  /** Between the first refusal and giving up. */
  readonly limitMs: number;
  /** Told before each wait. */
  readonly onWait: (error: RequestError) => void;
  readonly signal?: AbortSignal;
}

/** For as long as a restart or a full Redis may take. */
export const PATIENCE_MS = 5 * 60_000;

/** Repeats a request that may be repeated while the console cannot serve or cannot be reached. */
export async function patiently<T>(request: () => Promise<T>, { limitMs, onWait, signal }: Patience): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RequestError) || error.retryAfterMs === undefined) throw error;
      if (signal?.aborted || performance.now() - startedAt + error.retryAfterMs > limitMs) throw error;
      onWait(error);
      await delay(error.retryAfterMs, undefined, signal && { signal }).catch(() => undefined);
    }
  }
}

/** The same for minutes, for a command that says once that it waits, and, when it gives up, what goes on without it. */
export async function patientRequest(
  io: Pick<Io, 'writeErr'>,
  request: () => Promise<unknown>,
  goesOn?: string,
): Promise<unknown> {
  let isTold = false;
  const onWait = ({ message }: RequestError): void => {
    if (!isTold) io.writeErr(`pushfleet: waiting: ${message}\n`);
    isTold = true;
  };
  try {
    return await patiently(request, { limitMs: PATIENCE_MS, onWait });
  } catch (error) {
    if (goesOn === undefined || !(error instanceof RequestError) || error.retryAfterMs === undefined) throw error;
    throw new RequestError(`${error.message}; ${goesOn}`, { cause: error });
  }
}
