import type { Retry } from './verdict';

const BASE_MS = 500;
export const MAX_PAUSE_MS = 60_000;

/** Full jitter: anything up to an exponentially growing bound, so that waiting workers do not return together. */
export function backoffMs(tries: number, random: () => number = Math.random): number {
  const bound = Math.min(MAX_PAUSE_MS, BASE_MS * 2 ** Math.min(tries, 20));
  return Math.round(bound * (0.1 + 0.9 * random()));
}

/** The pause that a vendor asks for, spread a little. */
export function waitMs(retryAfterMs: number, random: () => number = Math.random): number {
  return Math.round(retryAfterMs + Math.min(retryAfterMs, 5000) * 0.2 * random());
}

type Pause = Pick<Retry, 'pause' | 'retryAfterMs'>;

const namedWaitMs = ({ pause, retryAfterMs }: Pause): number | undefined =>
  pause === 'wait' ? retryAfterMs : undefined;

/**
 * The tries of devices whose call ended so. A hold and a wait that the vendor named count as one try at least, and as none more:
 * pauses do not grow by them.
 */
export const triesAfter = (retry: (Pause & Pick<Retry, 'isHeld'>) | undefined, before: number): number =>
  retry && (retry.isHeld === true || namedWaitMs(retry) !== undefined) ? Math.max(1, before) : before + 1;

/** The pause before the next try, after `tries` tries without success before this one. */
export function pauseMs(retry: Pause, tries: number, random: () => number = Math.random): number {
  const wait = namedWaitMs(retry);
  return wait === undefined ? backoffMs(tries, random) : waitMs(wait, random);
}

/**
 * The same for what waits together, so that one call asks for all of it: a minute at most. A vendor may name the end of the day; its
 * customer may buy a larger quota before.
 */
export const sharedPauseMs = (retry: Pause, tries: number, random?: () => number): number =>
  Math.min(MAX_PAUSE_MS, pauseMs(retry, tries, random));
