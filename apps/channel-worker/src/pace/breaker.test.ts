import type { Breaker } from '@pushfleet/store';
import {
  FAULT_WINDOW_MS,
  FAULTS_TO_OPEN,
  nextBreaker,
  openPauseMs,
  UNKNOWN_WINDOW_MS,
  type BreakerEvent,
} from './breaker';

const NOW = 1_000_000;
const PROBE_MS = 40_000;
const fault: BreakerEvent = { kind: 'fault', reason: 'unreachable' };
const unknown: BreakerEvent = { kind: 'unknown', reason: 'unknown-outcome' };
const answer: BreakerEvent = { kind: 'answer' };
const probe = (prober: string): BreakerEvent => ({ kind: 'probe', prober });

const after = (breaker: Breaker | undefined, event: BreakerEvent, now = NOW): Breaker | undefined =>
  nextBreaker(breaker, event, { now, random: 1, probeMs: PROBE_MS });

const afterFaults = (count: number): Breaker | undefined =>
  Array.from({ length: count }).reduce<Breaker | undefined>((breaker) => after(breaker, fault), undefined);
const open = afterFaults(FAULTS_TO_OPEN);
const probeAt = NOW + openPauseMs(1, 1);
const halfOpen = after(open, probe('me'), probeAt);

describe('closed', () => {
  it('opens on the last of several faults in a row', () => {
    expect(afterFaults(FAULTS_TO_OPEN - 1)).toMatchObject({ state: 'closed', faults: FAULTS_TO_OPEN - 1 });
    expect(open).toEqual({ state: 'open', since: NOW, probeAt, openings: 1, reason: 'unreachable' });
  });

  it('forgets its faults on an answer', () => {
    expect(after(afterFaults(FAULTS_TO_OPEN - 1), answer)).toBeUndefined();
    expect(after(undefined, answer)).toBeUndefined();
  });

  it('counts anew when the first fault is old', () => {
    const faults = afterFaults(FAULTS_TO_OPEN - 1);
    expect(after(faults, fault, NOW + FAULT_WINDOW_MS + 1)).toMatchObject({ state: 'closed', faults: 1 });
  });
});

describe('calls that may have been taken', () => {
  const events = (...list: readonly BreakerEvent[]): Breaker | undefined =>
    list.reduce<Breaker | undefined>((breaker, event) => after(breaker, event), undefined);

  it('open it at the third, whatever is answered in between', () => {
    const two = events(unknown, answer, unknown, answer, answer);
    expect(two).toMatchObject({ state: 'closed', unknowns: 2, faults: 0 });
    expect(after(two, unknown)).toMatchObject({ state: 'open', reason: 'unknown-outcome' });
  });

  it('are counted beside faults', () => {
    expect(events(unknown, fault, unknown, fault, fault)).toMatchObject({ state: 'closed', unknowns: 2, faults: 3 });
  });

  it('are counted anew when the first is old', () => {
    const later = after(events(unknown, unknown), unknown, NOW + UNKNOWN_WINDOW_MS + 1);
    expect(later).toMatchObject({ state: 'closed', unknowns: 1 });
  });

  it('open it again when the probe is one of them', () => {
    const probed = after(halfOpen, { ...unknown, prober: 'me' }, probeAt);
    expect(probed).toMatchObject({ state: 'open', openings: 2, reason: 'unknown-outcome' });
  });
});

describe('open', () => {
  it('lets nobody try before its time, and one after', () => {
    expect(after(open, probe('me'), probeAt - 1)).toBe(open);
    expect(halfOpen).toMatchObject({ state: 'half-open', prober: 'me', probeAt: probeAt + PROBE_MS });
  });

  it('is not changed by calls that began before it opened', () => {
    expect([after(open, fault), after(open, answer)]).toEqual([open, open]);
  });
});

describe('half-open', () => {
  it('lets nobody else try while the probe may still end', () => {
    expect(after(halfOpen, probe('you'), probeAt + 1)).toBe(halfOpen);
    expect(after(halfOpen, probe('you'), probeAt + PROBE_MS)).toMatchObject({ state: 'half-open', prober: 'you' });
  });

  it('closes on an answer to the probe', () => {
    expect(after(halfOpen, { kind: 'answer', prober: 'me' })).toBeUndefined();
  });

  it('opens for longer on a fault of the probe', () => {
    const again = after(halfOpen, { ...fault, reason: 'vendor-error', prober: 'me' }, probeAt + 5);
    expect(again).toMatchObject({ state: 'open', since: NOW, openings: 2, reason: 'vendor-error' });
    expect(again).toHaveProperty('probeAt', probeAt + 5 + openPauseMs(2, 1));
  });

  it('lets somebody else try at once when the probe called nobody', () => {
    const again = after(halfOpen, { kind: 'no-call', prober: 'me' }, probeAt + 5);
    expect(again).toMatchObject({ state: 'open', probeAt: probeAt + 5, openings: 1 });
  });

  it('hears of its own probe only', () => {
    expect([after(halfOpen, answer), after(halfOpen, { ...fault, prober: 'you' })]).toEqual([halfOpen, halfOpen]);
  });
});

describe('with time', () => {
  const time: BreakerEvent = { kind: 'time' };
  const desertedMs = 5 * 60_000;

  it('a breaker that nobody probes any more is forgotten', () => {
    expect(after(open, time, probeAt + desertedMs)).toBe(open);
    expect(after(open, time, probeAt + desertedMs + 1)).toBeUndefined();
    expect(after(halfOpen, time, probeAt + PROBE_MS + desertedMs)).toBe(halfOpen);
    expect(after(halfOpen, time, probeAt + PROBE_MS + desertedMs + 1)).toBeUndefined();
  });

  it('faults and doubtful calls of a closed one are forgotten behind their windows', () => {
    const faults = afterFaults(1);
    expect(after(faults, time, NOW + FAULT_WINDOW_MS)).toBe(faults);
    expect(after(faults, time, NOW + FAULT_WINDOW_MS + 1)).toBeUndefined();
    const doubt = after(undefined, unknown);
    expect(after(doubt, time, NOW + UNKNOWN_WINDOW_MS)).toBe(doubt);
    expect(after(doubt, time, NOW + UNKNOWN_WINDOW_MS + 1)).toBeUndefined();
  });
});

it('pauses grow, are bounded, and half of them is chance', () => {
  expect([1, 2, 3, 100].map((openings) => openPauseMs(openings, 1))).toEqual([1000, 2000, 4000, 30_000]);
  expect(openPauseMs(3, 0)).toBe(2000);
});
