import type { ChannelBooks } from '@pushfleet/domain';

/** One row of the outcomes of a push, of one device or of `count`. */
interface CountedOutcome {
  readonly channel: string;
  readonly outcome: string;
  readonly reason?: string | undefined;
  readonly count?: number | undefined;
}

type Counts = Readonly<Record<string, number>>;

/** How many devices the rows tell of, by channel, outcome and reason; a record must have the same counts. */
export function outcomeCounts(rows: readonly CountedOutcome[]): Counts {
  const counts: Record<string, number> = {};
  for (const { channel, outcome, reason = '', count = 1 } of rows) {
    const name = `${channel} ${outcome} ${reason}`;
    counts[name] = (counts[name] ?? 0) + count;
  }
  return counts;
}

export function recordedCounts(
  channels: Readonly<Record<string, Pick<ChannelBooks, 'accepted' | 'discarded' | 'failed'>>>,
): Counts {
  const rows = Object.entries(channels).flatMap(([channel, { accepted, discarded, failed }]) => [
    { channel, outcome: 'accepted', count: accepted },
    ...Object.entries(discarded).map(([reason, count]) => ({ channel, outcome: 'discarded', reason, count })),
    ...Object.entries(failed).map(([reason, count]) => ({ channel, outcome: 'failed', reason, count })),
  ]);
  return outcomeCounts(rows.filter(({ count }) => count !== 0));
}
