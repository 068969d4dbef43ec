import type { Breaker } from '@pushfleet/store';

/** What happens to the breaker of a profile; `prober` names the call that was let through to try. */
export type BreakerEvent =
  /** A call failed, and the vendor has surely not taken it. */
  | { readonly kind: 'fault'; readonly reason: string; readonly prober?: string | undefined }
  /** The vendor may have taken a call and gave no usable answer. */
  | { readonly kind: 'unknown'; readonly reason: string; readonly prober?: string | undefined }
  /** The vendor answered, whatever it said. */
  | { readonly kind: 'answer'; readonly prober?: string | undefined }
  /** The probe ended without a call. */
  | { readonly kind: 'no-call'; readonly prober: string }
  /** A call asks to be the probe. */
  | { readonly kind: 'probe'; readonly prober: string }
  /** Time goes by. */
  | { readonly kind: 'time' };

export interface BreakerMoment {
  readonly now: number;
  /** From 0 to 1. */
  readonly random: number;
  /** A probe that has not ended by then counts as dead. */
  readonly probeMs: number;
}

/** Faults in a row, within the window, that open it. */
export const FAULTS_TO_OPEN = 5;
export const FAULT_WINDOW_MS = 30_000;
/** Calls within a window that may have been taken; answers between them do not count. */
const UNKNOWNS_TO_OPEN = 3;
export const UNKNOWN_WINDOW_MS = 120_000;
/** Without a probe for so long, no work waits for the vendor any more. */
const DESERTED_MS = 5 * 60_000;
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
  if (event.kind === 'time') return breaker && isForgotten(breaker, moment) ? undefined : breaker;
  return afterCall(breaker, event, moment);
}

type CallEvent = Exclude<BreakerEvent, { kind: 'time' }>;

function afterCall(breaker: State, event: CallEvent, moment: BreakerMoment): State {
  switch (breaker?.state) {
    case undefined:
    case 'closed':
      return whenClosed(breaker, event, moment);
    case 'open':
      return event.kind === 'probe' && moment.now >= breaker.probeAt
        ? { ...breaker, state: 'half-open', prober: event.prober, probeAt: moment.now + moment.probeMs }
        : breaker;
    case 'half-open':
      return whenHalfOpen(breaker, event, moment);
  }
}

function isForgotten(breaker: Breaker, { now }: BreakerMoment): boolean {
  if (breaker.state !== 'closed') return now > breaker.probeAt + DESERTED_MS;
  const unknownsUntil = (breaker.firstUnknownAt ?? 0) + UNKNOWN_WINDOW_MS;
  return now > Math.max(breaker.firstFaultAt + FAULT_WINDOW_MS, unknownsUntil);
}

type Closed = Extract<Breaker, { state: 'closed' }>;

function whenClosed(breaker: Closed | undefined, event: CallEvent, at: BreakerMoment): State {
  switch (event.kind) {
    case 'answer':
      return unknownsOf(breaker, at) === 0 ? undefined : withFaults(breaker, 0, at);
    case 'fault':
      return afterFault(breaker, event.reason, at);
    case 'unknown':
      return afterUnknown(breaker, event.reason, at);
    default:
      return breaker;
  }
}

function afterFault(breaker: Closed | undefined, reason: string, at: BreakerMoment): State {
  const isRecent = breaker !== undefined && at.now - breaker.firstFaultAt <= FAULT_WINDOW_MS;
  const faults = isRecent ? breaker.faults + 1 : 1;
  if (faults < FAULTS_TO_OPEN) return withFaults(breaker, faults, at);
  return opened({ openings: 1, reason, since: at.now }, at);
}

function withFaults(breaker: Closed | undefined, faults: number, at: BreakerMoment): Closed {
  const unknowns = unknownsOf(breaker, at);
  return {
    state: 'closed',
    faults,
    firstFaultAt: breaker && faults > 1 ? breaker.firstFaultAt : at.now,
    ...(unknowns > 0 ? { unknowns, firstUnknownAt: breaker?.firstUnknownAt ?? at.now } : {}),
  };
}

function afterUnknown(breaker: Closed | undefined, reason: string, at: BreakerMoment): State {
  const unknowns = unknownsOf(breaker, at) + 1;
  if (unknowns >= UNKNOWNS_TO_OPEN) return opened({ openings: 1, reason, since: at.now }, at);
  const firstUnknownAt = unknowns > 1 ? (breaker?.firstUnknownAt ?? at.now) : at.now;
  const { faults, firstFaultAt } = breaker ?? { faults: 0, firstFaultAt: at.now };
  return { state: 'closed', faults, firstFaultAt, unknowns, firstUnknownAt };
}

const unknownsOf = (breaker: Closed | undefined, { now }: BreakerMoment): number =>
  breaker && now - (breaker.firstUnknownAt ?? 0) <= UNKNOWN_WINDOW_MS ? (breaker.unknowns ?? 0) : 0;

function whenHalfOpen(breaker: Extract<Breaker, { state: 'half-open' }>, event: CallEvent, at: BreakerMoment): State {
  if (event.kind === 'probe')
    return at.now >= breaker.probeAt ? { ...breaker, prober: event.prober, probeAt: at.now + at.probeMs } : breaker;
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
