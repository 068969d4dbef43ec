import { openCounts } from './counts';

export interface GuessBrake {
  /** How long a network is refused; 0 when it is heard. */
  waitMs(network: string): number;
  /** Counts a wrong secret; true for the one that closes the network's minute. */
  guessed(network: string): boolean;
}

const MINUTE_MS = 60_000;

/** Wrong secrets per network and minute; when they are used up, the right one is refused too until the minute is over. */
export function openGuessBrake(perMinute: number, now: () => number): GuessBrake {
  const guesses = openCounts(MINUTE_MS, now);
  return {
    waitMs(network) {
      const { count, endsInMs } = guesses.of(network);
      return count < perMinute ? 0 : endsInMs;
    },
    guessed: (network) => guesses.add(network).count === perMinute,
  };
}
