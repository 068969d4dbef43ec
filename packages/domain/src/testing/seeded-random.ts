export interface SeededRandom {
  /** A whole number from 0 to below `n`. */
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
}

/** The same numbers on every run with one seed, so that a failure can be repeated (mulberry32). */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  const below = (n: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
