import { groupBy } from '@pushfleet/domain';
import type { Mark } from './mark';

export interface Unconfirmed extends Mark {
  readonly objectId: string;
}

/**
 * Unconfirmed installations in the order in which they make room: always the oldest of whoever has the most of them left. A
 * flood from one address thus pushes out itself, and not the new devices of everybody else.
 */
export function inOrderOfEviction(sample: readonly Unconfirmed[]): readonly Unconfirmed[] {
  const byOrigin = groupBy([...sample].sort(byAge), ({ origin }) => origin);
  const ranked = [...byOrigin.values()].flatMap((all) => all.map((one, i) => ({ one, left: all.length - i })));
  return ranked.sort((a, b) => b.left - a.left || byAge(a.one, b.one)).map(({ one }) => one);
}

const byAge = (one: Unconfirmed, other: Unconfirmed): number => one.minute - other.minute;
