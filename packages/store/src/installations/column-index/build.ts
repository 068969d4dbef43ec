import { DAY_MS } from '@pushfleet/domain';
import { ALL_SHARDS, SHARDS } from '../../kit/shards';
import type { IndexParts } from '../channel-index/entries';
import type { PassTimes } from '../channel-index/pass';
import { SETTLE_MS } from '../channel-index/states';
import { changeColumns, withColumn, type AppColumns, type ColumnState } from './column-state';
import { indexShard, stampShards } from './index-shard';

export interface ColumnOfApp {
  readonly app: string;
  readonly column: string;
}

/** Then others have their turn; a pass goes on with the next call. */
const SLICE_MS = 5000;
/** As for the channels: entries are lost with a Redis that loses its newest writes. */
const AGAIN_MS = DAY_MS;

/**
 * Goes through the records of an app when that is due, shard by shard, and adds what the index of a column misses. The first
 * pass makes the index; those behind it check it. Resolves with the number of entries that were added.
 */
export async function buildColumn(parts: IndexParts, of: ColumnOfApp, times: PassTimes): Promise<number> {
  const { now, stopping } = times;
  let state = await begin(parts, of, times);
  if (!state) return 0;
  const until = now() + SLICE_MS;
  let added = 0;
  // The names of values stand in other shards than the records: whoever still removes an older index is refused in all of them.
  if (state.shard === 0) await stampShards(parts, of.app, ALL_SHARDS);
  while (state.shard < SHARDS) {
    if (stopping.aborted || now() > until) return added;
    const more = await indexShard(parts, { ...of, shard: state.shard });
    added += more;
    // Another process that goes on with the pass has taken this step, or the index is not wanted any more.
    const next: Pass | undefined = await stepPass(parts, of, { from: state, more });
    if (!next) return added;
    state = next;
  }
  const { begunAt } = state;
  await stepColumn(parts, of, (at) => (at.begunAt === begunAt ? afterPass(at, now()) : undefined));
  return added;
}

/** A pass under way. */
type Pass = ColumnState & Required<Pick<ColumnState, 'begunAt' | 'shard'>>;

const passOf = (at: ColumnState | undefined): Pass | undefined =>
  at?.begunAt === undefined || at.shard === undefined ? undefined : { ...at, begunAt: at.begunAt, shard: at.shard };

async function stepPass(
  parts: IndexParts,
  of: ColumnOfApp,
  { from, more }: { readonly from: Pass; readonly more: number },
): Promise<Pass | undefined> {
  const { begunAt, shard } = from;
  const next = await stepColumn(parts, of, (at) =>
    at.begunAt === begunAt && at.shard === shard ? { ...at, shard: shard + 1, added: at.added + more } : undefined,
  );
  return passOf(next);
}

async function begin(parts: IndexParts, of: ColumnOfApp, { now, settledAt }: PassTimes): Promise<Pass | undefined> {
  const begun = await stepColumn(parts, of, (at) => {
    if (at.begunAt !== undefined) return at;
    const isDue = at.dueAt <= now() || (at.soundSince !== undefined && at.soundSince < settledAt);
    return isDue && settledAt <= now() ? { ...at, begunAt: now(), shard: 0, added: 0 } : undefined;
  });
  return passOf(begun);
}

/** The column after a step of its making; undefined when there is none to take. */
async function stepColumn(
  parts: IndexParts,
  { app, column }: ColumnOfApp,
  step: (at: ColumnState) => ColumnState | undefined,
): Promise<ColumnState | undefined> {
  const change = (state: AppColumns): AppColumns | undefined => {
    const at = state.columns[column];
    const next = at && at.removedAt === undefined ? step(at) : undefined;
    return next && withColumn(state, column, next);
  };
  return (await changeColumns(parts, app, change))?.columns[column];
}

/** What a check found missing may be the trace of somebody who saves without the index: only a clean one is believed then. */
function afterPass(
  { declaredAt, begunAt = 0, added, soundSince, hasLost = false }: ColumnState,
  now: number,
): ColumnState {
  const isCheck = soundSince !== undefined || hasLost;
  if (isCheck && added > 0) return { declaredAt, added, hasLost: true, dueAt: now + SETTLE_MS };
  return { declaredAt, added, soundSince: begunAt, dueAt: begunAt + AGAIN_MS };
}
