import type { Breaker } from '@pushfleet/store';

/** What happens to the breaker of a profile; `prober` names the call that was let through to try. */
export type BreakerEvent =
  /** A call to the vendor came to nothing. */
  | { readonly kind: 'fault'; readonly reason: string; readonly prober?: string | undefined }
  /** The vendor answered, whatever it said. */
  | { readonly kind: 'answer'; readonly prober?: string | undefined }
  /** What was let through to try ended without a call. */
  | { readonly kind: 'no-call'; readonly prober: string }
  /** Somebody wants to try. */
  | { readonly kind: 'probe'; readonly prober: string };

export interface BreakerMoment {
  readonly now: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** Faults in a row, within the window, that open it. */
export const FAULTS_TO_OPEN = 5;
export const FAULT_WINDOW_MS = 30_000;
/** A probe that has not ended by then is given up for dead. */
export const PROBE_MS = 30_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Half of the pause is random, so that breakers that opened together do not probe together. */
export function openPauseMs(openings: number, random: number): number {
  const bound = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(openings - 1, 10));
  return Math.round(bound * (0.5 + 0.5 * random));
}

type State = Breaker | undefined;

/** The next state; the same one when nothing changes. Undefined: closed, and no faults of late. */
export function nextBreaker(breaker: State, event: BreakerEvent, moment: BreakerMoment): State {
  switch (breaker?.state) {
    case undefined:
    case 'closed':
      return whenClosed(breaker, event, moment);
    case 'open':
      return event.kind === 'probe' && moment.now >= breaker.probeAt
        ? { ...breaker, state: 'half-open', prober: event.prober, probeAt: moment.now + PROBE_MS }
        : breaker;
    case 'half-open':
      return whenHalfOpen(breaker, event, moment);
  }
}

function whenClosed(
  breaker: Extract<Breaker, { state: 'closed' }> | undefined,
  event: BreakerEvent,
  at: BreakerMoment,
) {
  if (event.kind === 'answer') return undefined;
  if (event.kind !== 'fault') return breaker;
  const isRecent = breaker !== undefined && at.now - breaker.firstFaultAt <= FAULT_WINDOW_MS;
  const faults = isRecent ? breaker.faults + 1 : 1;
  if (faults < FAULTS_TO_OPEN)
    return { state: 'closed', faults, firstFaultAt: isRecent ? breaker.firstFaultAt : at.now } as const;
  return opened({ openings: 1, reason: event.reason, since: at.now }, at);
}

function whenHalfOpen(
  breaker: Extract<Breaker, { state: 'half-open' }>,
  event: BreakerEvent,
  at: BreakerMoment,
): State {
  if (event.kind === 'probe')
    return at.now >= breaker.probeAt ? { ...breaker, prober: event.prober, probeAt: at.now + PROBE_MS } : breaker;
  if (event.prober !== breaker.prober) return breaker;
  const { since, openings, reason } = breaker;
  if (event.kind === 'answer') return undefined;
  if (event.kind === 'no-call') return { state: 'open', since, openings, reason, probeAt: at.now };
  return opened({ since, openings: openings + 1, reason: event.reason }, at);
}

const opened = (
  of: { readonly since: number; readonly openings: number; readonly reason: string },
  { now, random }: BreakerMoment,
): Breaker => ({ state: 'open', ...of, probeAt: now + openPauseMs(of.openings, random) });
