import type { Retry } from './send-batch';

const BASE_MS = 500;
const MAX_MS = 60_000;

/** Full jitter: anything up to an exponentially growing bound, so that waiting workers do not return together. */
export function backoffMs(tries: number, random: () => number = Math.random): number {
  const bound = Math.min(MAX_MS, BASE_MS * 2 ** Math.min(tries, 20));
  return Math.round(bound * (0.1 + 0.9 * random()));
}

/** The pause that a vendor asks for, spread a little. */
export function waitMs(retryAfterMs: number, random: () => number = Math.random): number {
  return Math.round(retryAfterMs + Math.min(retryAfterMs, 5000) * 0.2 * random());
}

/** The tries of devices whose call ended so. Held devices count as tried at least once, and a hold adds no further try. */
export const triesAfter = (retry: Pick<Retry, 'isHeld'> | undefined, before: number): number =>
  retry?.isHeld === true ? Math.max(1, before) : before + 1;

/** The pause before the next try, after `tries` tries without success before this one. */
export function pauseMs(
  { pause, retryAfterMs }: Pick<Retry, 'pause' | 'retryAfterMs'>,
  tries: number,
  random: () => number = Math.random,
): number {
  return pause === 'wait' && retryAfterMs !== undefined ? waitMs(retryAfterMs, random) : backoffMs(tries, random);
}
