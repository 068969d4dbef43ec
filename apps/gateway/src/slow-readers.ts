import { groupBy } from '@pushfleet/domain';

/** Somebody for whom bytes wait. */
export interface Reader {
  readonly address: string;
  readonly bufferedBytes: number;
}

/** Of each address for which more waits than may: those for which most does, until the rest is within it. 0 = no limit. */
export function readersToDrop<R extends Reader>(readers: readonly R[], mostBytes: number): readonly R[] {
  if (mostBytes === 0) return [];
  return [...groupBy(readers, ({ address }) => address).values()].flatMap((ofAddress) => beyond(ofAddress, mostBytes));
}

function beyond<R extends Reader>(readers: readonly R[], mostBytes: number): readonly R[] {
  const slowestLast = [...readers].sort((a, b) => a.bufferedBytes - b.bufferedBytes);
  let bytes = 0;
  return slowestLast.filter(({ bufferedBytes }) => (bytes += bufferedBytes) > mostBytes);
}
