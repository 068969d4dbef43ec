import { openCounts } from './counts';

/** Whether so many more are allowed in this second, for each key by itself; of this process alone. */
export function openRateLimit(perSecond: number, now: () => number): (key: string, more?: number) => boolean {
  const counts = openCounts(1000, now);
  return (key, more) => counts.add(key, more).count <= perSecond;
}
