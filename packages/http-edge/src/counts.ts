import { BoundedMap, isStillAhead } from '@pushfleet/domain';

export interface Count {
  readonly count: number;
  /** Until the counting begins anew. */
  readonly endsInMs: number;
}

/** Counts by key, each for so long from its first one on. */
export interface Counts {
  add(key: string, more?: number): Count;
  /** As it is, without one more. */
  of(key: string): Count;
}

interface Period {
  count: number;
  readonly until: number;
}

const MAX_KEYS = 10_000;

/** Of this process alone. */
export function openCounts(ms: number, now: () => number): Counts {
  const periods = new BoundedMap<string, Period>(MAX_KEYS);
  const current = (key: string): Period => {
    const known = periods.get(key);
    return known && isStillAhead(known.until, now(), ms) ? known : { count: 0, until: now() + ms };
  };
  const told = ({ count, until }: Period): Count => ({ count, endsInMs: until - now() });
  return {
    add(key, more = 1) {
      const period = current(key);
      period.count += more;
      periods.set(key, period);
      return told(period);
    },
    of: (key) => told(current(key)),
  };
}
