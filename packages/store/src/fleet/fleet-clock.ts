/** The time that all processes of a fleet go by. */
export interface FleetClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** The same by the clock of this process. */
  own(): number;
  /** Whether the clock of this process is so far from that of Redis that it goes by the latter. */
  isOff(): boolean;
  /** Takes note of the time of Redis, for which this process asked at `askedAt` by its own clock, and which it has now. */
  hear(askedAt: number, redisNow: number): void;
}

/** Clocks that are nearer than that to each other count as the same: nobody can tell which of them is wrong. */
const TOLERATED_MS = 5000;

/** The clock of this process, or that of Redis once the two are found to differ. */
export function openFleetClock(own: () => number): FleetClock {
  let aheadMs = 0;
  return {
    now: () => own() - aheadMs,
    own,
    isOff: () => aheadMs !== 0,
    hear(askedAt, redisNow) {
      const distance = leastDistance(askedAt - redisNow, own() - redisNow);
      aheadMs = Math.abs(distance) > TOLERATED_MS ? distance : 0;
    },
  };
}

/** Redis looked at its clock at some moment between question and answer, which a process that was stopped gets much later. */
function leastDistance(whenAsked: number, whenAnswered: number): number {
  if (whenAsked > 0) return whenAsked;
  return Math.min(whenAnswered, 0);
}
