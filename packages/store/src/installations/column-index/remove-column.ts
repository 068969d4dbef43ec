import { SHARDS } from '../../kit/shards';
import type { IndexParts } from '../channel-index/entries';
import type { PassTimes } from '../channel-index/pass';
import { stampShard } from './index-shard';
import type { ColumnOfApp } from './build';
import { changeColumns, nextGeneration, withColumn, type ColumnState } from './column-state';
import { termsBegin } from './terms';

/** Longer than a push that is being planned goes on using an index that was removed. */
export const KEPT_FOR_MS = 60_000;
const SCAN_COUNT = 500;

/** Removes the entries of an index that is not wanted any more, shard by shard, and then its name. */
export async function removeColumn(parts: IndexParts, of: ColumnOfApp, { now, stopping }: PassTimes): Promise<void> {
  const { app, column } = of;
  const step = (to: (at: ColumnState) => ColumnState | undefined) =>
    changeColumns(parts, app, (state) => {
      const at = state.columns[column];
      return at?.removedAt === undefined ? undefined : withColumn(state, column, to(at));
    });
  const begun = await changeColumns(parts, app, (state) => {
    const at = state.columns[column];
    if (at?.removedAt === undefined || now() < at.removedAt + KEPT_FOR_MS) return undefined;
    if (at.isGoing === true) return state;
    const { begunAt: _, ...others } = at;
    const going = withColumn(state, column, { ...others, isGoing: true, shard: 0 });
    return { ...going, generation: nextGeneration(state, now()) };
  });
  if (!begun) return;
  for (let shard = begun.columns[column]?.shard ?? 0; shard < SHARDS; shard += 1) {
    if (stopping.aborted) return;
    await clearShard(parts, of, shard);
    if (!(await step((at) => ({ ...at, shard: shard + 1 })))) return;
  }
  await step(() => undefined);
}

async function clearShard(parts: IndexParts, { app, column }: ColumnOfApp, shard: number): Promise<void> {
  const { redis, keys } = parts;
  // Whoever still keeps the index is refused from here on.
  await stampShard(parts, { app, shard });
  await redis.unlink(keys.column(app, shard, column));
  const [names, doubts] = [keys.channelShards(app, shard), keys.channelDoubts(app, shard)];
  let cursor = '0';
  do {
    const pattern = `${termsBegin(column)}*`;
    const [next, flat] = await redis.hscan(names, cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    const terms = flat.filter((_, i) => i % 2 === 0);
    if (terms.length > 0) await Promise.all([redis.hdel(names, ...terms), redis.hdel(doubts, ...terms)]);
    cursor = next;
  } while (cursor !== '0');
}
