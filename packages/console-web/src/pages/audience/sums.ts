import type { Schemas } from '../../api/client';

/** Devices of one vendor with one fate. */
export type Group = Schemas['Audience']['reach'][number];

/** More names than this are counted as one, however many slices there are. */
const MOST_NAMES = 200;
export const OTHERS = 'others';

export function withCounts(
  before: ReadonlyMap<string, number>,
  counts: Readonly<Record<string, number>>,
): ReadonlyMap<string, number> {
  const sums = new Map(before);
  for (const [name, count] of Object.entries(counts)) {
    const known = sums.has(name) || sums.size < MOST_NAMES ? name : OTHERS;
    sums.set(known, (sums.get(known) ?? 0) + count);
  }
  return sums;
}

/** The others are one for each reason: some of them are reached, and some are not. */
export function withGroups(before: ReadonlyMap<string, Group>, groups: readonly Group[]): ReadonlyMap<string, Group> {
  const sums = new Map(before);
  for (const group of groups) {
    const { count, ...kind } = sums.has(keyOf(group)) || sums.size < MOST_NAMES ? group : otherThan(group);
    const key = keyOf(kind);
    sums.set(key, { ...kind, count: count + (sums.get(key)?.count ?? 0) });
  }
  return sums;
}

const keyOf = ({ vendor, reason, profile }: Omit<Group, 'count'>): string => [vendor, reason, profile].join(' ');

const otherThan = ({ reason, count }: Group): Group => ({ vendor: OTHERS, ...(reason ? { reason } : {}), count });
