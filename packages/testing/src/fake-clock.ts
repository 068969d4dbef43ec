export interface FakeClock {
  /** Milliseconds since the epoch; can be handed over without its object. */
  readonly now: () => number;
  advance(ms: number): void;
  set(ms: number): void;
}

/** 2026-01-02T03:04:05.678Z: every part of the date is distinct, so that a mix-up shows. */
export const FAKE_START_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** Time that passes only when the test says so. */
export function fakeClock(startMs = FAKE_START_MS): FakeClock {
  let currentMs = startMs;
  return {
    now: () => currentMs,
    advance(ms) {
      currentMs += ms;
    },
    set(ms) {
      currentMs = ms;
    },
  };
}
