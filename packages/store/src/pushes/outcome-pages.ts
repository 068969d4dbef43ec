import { chunksOf, type DeviceOutcome } from '@pushfleet/domain';
import type { GroupOfDevices, OutcomeFrame, OutcomeGroup } from './outcome-frames';

/** What a record says of its outcomes. */
export interface RecordedOutcomes {
  /** The push is done, and every device of its record is here or in the frames beside it. */
  readonly isComplete: boolean;
  readonly lines: readonly OutcomeFrame[];
}

export interface OutcomeSource {
  recorded(pushId: string): Promise<RecordedOutcomes>;
  /** Fewer than `count` when there are no more. */
  frames(pushId: string, from: number, count: number): Promise<readonly OutcomeFrame[]>;
}

export interface OutcomeFilter {
  readonly outcome?: DeviceOutcome | undefined;
  readonly reason?: string | undefined;
  readonly channel?: string | undefined;
}

/** What became of one device, or of some that a rule refused together. */
export type OutcomeRow = OutcomeGroup & {
  readonly pushId: string;
  readonly at: number;
} & ({ readonly objectId: string } | { readonly count: number });

/** Where a reader is. Both the frames and the lines of an open push may grow at their ends. */
export interface OutcomeCursor {
  readonly pushId: string;
  readonly frames: number;
  /** Rows of the next frame, and of the lines, that are behind the reader. */
  readonly rows: number;
  readonly lines: number;
  /** Something behind the reader was damaged. */
  readonly isDamaged?: true | undefined;
}

export interface OutcomePageRequest {
  /** Of pushes that share a notification id; always in the same order. */
  readonly pushIds: readonly string[];
  readonly filter: OutcomeFilter;
  readonly from?: OutcomeCursor | undefined;
  readonly limit: number;
}

export interface OutcomePage {
  readonly rows: readonly OutcomeRow[];
  /** Absent at the end. A page may be short or empty before it. */
  readonly next?: OutcomeCursor;
  /** Every device of the records is told, once they are read to the end. */
  readonly isComplete: boolean;
}

export type ReadOutcomePage = (request: OutcomePageRequest) => Promise<OutcomePage>;

/**
 * Frames that are read at once, as a page of a thousand begins in one and ends in the next; and for one page, as a filter may
 * leave little of each.
 */
const [AT_ONCE, MOST] = [2, 32];
const RECORDS_AT_ONCE = 50;

export const openOutcomePages =
  (source: OutcomeSource): ReadOutcomePage =>
  async ({ pushIds, filter, from, limit }) => {
    // Records first: what they tell of is there when the frames are read.
    const recorded = await recordsOf(source, pushIds);
    const page = new PageOfOutcomes(filter, limit, from?.isDamaged);
    const isComplete = (): boolean => page.isDamaged === undefined && areComplete(recorded);
    for (const pushId of from ? pushIds.slice(pushIds.indexOf(from.pushId)) : pushIds) {
      const start = from?.pushId === pushId ? from : { pushId, frames: 0, rows: 0, lines: 0 };
      const next = await page.read(source, start, recorded.get(pushId)?.lines ?? []);
      if (next) return { rows: page.rows, next: { ...next, isDamaged: page.isDamaged }, isComplete: isComplete() };
    }
    // And again behind the last: the frames may have been dropped meanwhile, for room or with their record.
    return { rows: page.rows, isComplete: isComplete() && areComplete(await recordsOf(source, pushIds)) };
  };

type Recorded = ReadonlyMap<string, RecordedOutcomes>;

async function recordsOf(source: OutcomeSource, pushIds: readonly string[]): Promise<Recorded> {
  const recorded = new Map<string, RecordedOutcomes>();
  for (const some of chunksOf(pushIds, RECORDS_AT_ONCE)) {
    const read = await Promise.all(some.map(async (id) => [id, await source.recorded(id)] as const));
    for (const [id, one] of read) recorded.set(id, one);
  }
  return recorded;
}

const areComplete = (recorded: Recorded): boolean => [...recorded.values()].every((one) => one.isComplete);

class PageOfOutcomes {
  readonly rows: OutcomeRow[] = [];
  private framesRead = 0;

  constructor(
    private readonly filter: OutcomeFilter,
    private readonly limit: number,
    public isDamaged: true | undefined,
  ) {}

  /** Resolves with where the push goes on, unless it is at its end. */
  async read(
    source: OutcomeSource,
    start: OutcomeCursor,
    lines: readonly OutcomeFrame[],
  ): Promise<OutcomeCursor | undefined> {
    let [{ frames, rows }, found] = [start, AT_ONCE];
    while (found === AT_ONCE) {
      if (this.framesRead >= MOST) return { ...start, frames, rows };
      const some = await source.frames(start.pushId, frames, AT_ONCE);
      for (const frame of some) {
        const behind = this.take(start.pushId, [frame], rows);
        if (behind !== undefined) return { ...start, frames, rows: behind };
        [frames, rows] = [frames + 1, 0];
      }
      found = some.length;
      this.framesRead += found;
    }
    const behind = this.take(start.pushId, lines, start.lines);
    return behind === undefined ? undefined : { ...start, frames, rows, lines: behind };
  }

  /** Undefined when the frames are read to their end, else how many of their rows are behind the page. */
  private take(pushId: string, frames: readonly OutcomeFrame[], behind: number): number | undefined {
    let passed = 0;
    for (const { at, groups, isDamaged } of frames) {
      this.isDamaged ??= isDamaged;
      for (const group of groups) {
        const rows = rowsIn(group);
        const [first, room] = [Math.max(0, behind - passed), this.limit - this.rows.length];
        if (first < rows && this.isWanted(group)) {
          this.rows.push(...rowsOf(group, { pushId, at }, [first, first + room]));
          if (rows - first > room) return passed + first + room;
        }
        passed += rows;
      }
    }
    return undefined;
  }

  private isWanted(group: OutcomeGroup): boolean {
    const { outcome, reason, channel } = this.filter;
    return (
      (outcome === undefined || group.outcome === outcome) &&
      (reason === undefined || group.reason === reason) &&
      (channel === undefined || group.channel === channel)
    );
  }
}

const rowsIn = (group: GroupOfDevices): number => ('count' in group ? 1 : group.objectIds.length);

function rowsOf(
  group: GroupOfDevices,
  of: Pick<OutcomeRow, 'pushId' | 'at'>,
  [from, to]: readonly [from: number, to: number],
): readonly OutcomeRow[] {
  if ('count' in group) return [{ ...of, ...group }].slice(from, to);
  const { objectIds, ...same } = group;
  const row = { ...of, ...same };
  return objectIds.slice(from, to).map((objectId) => ({ ...row, objectId }));
}
