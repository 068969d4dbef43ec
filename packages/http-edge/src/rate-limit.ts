import { openCounts } from './counts';

/** Whether one more is allowed in this second, for each key by itself; of this process alone. */
export function openRateLimit(perSecond: number, now: () => number): (key: string) => boolean {
  const counts = openCounts(1000, now);
  return (key) => counts.add(key).count <= perSecond;
}
