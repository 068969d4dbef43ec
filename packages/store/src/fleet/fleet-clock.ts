/** The time that all processes of a fleet go by. */
export interface FleetClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same by the clock of this process. */
  own(): number;
  /** Whether the clock of this process is so far from that of Redis that it goes by the latter. */
  isOff(): boolean;
  /** Takes note of the time of Redis, which was asked for at `askedAt` by the clock of this process. */
  hear(askedAt: number, redisNow: number): void;
}

/** An answer of a busy Redis, or to a busy process, is seconds on its way: within that nobody knows whose clock is wrong. */
const TOLERATED_MS = 5000;

/** The clock of this process, or that of Redis once the two are found to differ. */
export function openFleetClock(own: () => number): FleetClock {
  let aheadMs = 0;
  return {
    now: () => own() - aheadMs,
    own,
    isOff: () => aheadMs !== 0,
    hear(askedAt, redisNow) {
      const distance = askedAt - redisNow;
      aheadMs = Math.abs(distance) > TOLERATED_MS ? distance : 0;
    },
  };
}
