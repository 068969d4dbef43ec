import { isDone, luaScript } from '../../kit/lua/script';
import { SHARDS } from '../../kit/shards';
import type { IndexParts } from '../channel-index/entries';
import type { PassTimes } from '../channel-index/pass';
import type { ColumnOfApp } from './build';
import { changeColumns, nextGeneration, readColumns, withColumn, type ColumnState } from './column-state';
import { catchUp } from './kept-columns';
import { termsBegin } from './terms';

/** Longer than a push that is being planned goes on using an index that was removed. */
export const KEPT_FOR_MS = 60_000;
const SCAN_COUNT = 500;

const dropColumn = luaScript('installations/drop-column', {
  params: { stamp: 'key', index: 'key', names: 'key', doubts: 'key', generation: 'number', terms: 'texts' },
  answer: isDone,
});

/** Removes the entries of an index that is not wanted any more, shard by shard, and then its name. */
export async function removeColumn(parts: IndexParts, of: ColumnOfApp, { now, stopping }: PassTimes): Promise<void> {
  const { app, column } = of;
  const begun = await changeColumns(parts, app, (state) => {
    const at = state.columns[column];
    if (at?.removedAt === undefined || now() < at.removedAt + KEPT_FOR_MS) return undefined;
    if (at.isGoing === true) return state;
    const { begunAt: _, ...others } = at;
    const going = withColumn(state, column, { ...others, isGoing: true, shard: 0 });
    return { ...going, generation: nextGeneration(state, now()) };
  });
  const going = begun?.columns[column];
  if (!going) return;
  const step = (to: (at: ColumnState) => ColumnState | undefined) =>
    changeColumns(parts, app, (state) => {
      const at = state.columns[column];
      // Another of that name is not this one.
      return at?.isGoing === true && at.removedAt === going.removedAt ? withColumn(state, column, to(at)) : undefined;
    });
  for (let shard = going.shard ?? 0; shard < SHARDS; shard += 1) {
    if (stopping.aborted || !(await clearShard(parts, of, shard))) return;
    if (!(await step((at) => ({ ...at, shard: shard + 1 })))) return;
  }
  await step(() => undefined);
}

/**
 * False when the columns changed meanwhile: another remover may have come to the end, and the index be made anew. What is left
 * goes with the next call.
 */
async function clearShard(parts: IndexParts, { app, column }: ColumnOfApp, shard: number): Promise<boolean> {
  const { redis, keys } = parts;
  const { state } = await readColumns(parts, app);
  if (state.columns[column]?.isGoing !== true) return false;
  const [names, doubts] = [keys.channelShards(app, shard), keys.channelDoubts(app, shard)];
  const places = { stamp: keys.columnStamp(app, shard), index: keys.column(app, shard, column), names, doubts };
  let cursor = '0';
  do {
    const pattern = `${termsBegin(column)}*`;
    const [next, flat] = await redis.hscan(names, cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    const terms = flat.filter((_, i) => i % 2 === 0);
    // Whoever still keeps the index is refused from here on.
    if (!(await dropColumn(redis, { ...places, generation: state.generation, terms }))) {
      await catchUp(parts, app, shard);
      return false;
    }
    cursor = next;
  } while (cursor !== '0');
  return true;
}
