export const GUESSES_PER_MINUTE = 20;
const MINUTE_MS = 60_000;
const MAX_NETWORKS = 10_000;

export interface GuessBrake {
  /** How long a network is refused; 0 when it is heard. */
  waitMs(network: string): number;
  /** Counts a wrong token; true for the one that closes the network's minute. */
  guessed(network: string): boolean;
}

/** Wrong tokens per network and minute; when they are used up, the right one is refused too until the minute is over. */
export function openGuessBrake(now: () => number): GuessBrake {
  const guesses = new Map<string, { count: number; readonly until: number }>();
  const current = (network: string) => {
    const known = guesses.get(network);
    return known && known.until > now() ? known : undefined;
  };
  return {
    waitMs(network) {
      const known = current(network);
      return known && known.count >= GUESSES_PER_MINUTE ? known.until - now() : 0;
    },
    guessed(network) {
      const known = current(network) ?? { count: 0, until: now() + MINUTE_MS };
      known.count += 1;
      if (guesses.size >= MAX_NETWORKS && !guesses.has(network)) guesses.clear();
      guesses.set(network, known);
      return known.count === GUESSES_PER_MINUTE;
    },
  };
}
