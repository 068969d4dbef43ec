import { BoundedMap } from '@pushfleet/domain';
import type { IndexParts } from '../channel-index/entries';
import { changeColumns, keptColumns, readColumns } from './column-state';

/** What a process knows of the columns that are indexed in an app. */
export interface KeptColumns {
  readonly generation: number;
  readonly columns: readonly string[];
}

/**
 * The columns whose index every write keeps. What is known is used until a shard refuses a write because it has seen a later
 * generation, so that an app without indexes is asked once.
 */
export interface ColumnKeeper {
  of(app: string): Promise<KeptColumns>;
  /** A shard refused a write: it may have been for what is known. */
  refused(app: string, shard: number): Promise<void>;
  /** An app may have been deleted, and be there again without indexes. */
  forget(): void;
}

/** A Redis that loses its newest writes may lose the generation that a shard has seen: nobody could write there again. */
export async function catchUp(parts: IndexParts, app: string, shard: number): Promise<void> {
  const stamp = Number((await parts.redis.get(parts.keys.columnStamp(app, shard))) ?? 0);
  if (stamp === 0) return;
  await changeColumns(parts, app, (state) => (state.generation < stamp ? { ...state, generation: stamp } : undefined));
}

const MAX_APPS = 10_000;

export function openColumnKeeper(parts: IndexParts): ColumnKeeper {
  const known = new BoundedMap<string, Promise<KeptColumns>>(MAX_APPS);
  return {
    of(app) {
      const found = known.get(app);
      if (found) return found;
      const read = readColumns(parts, app).then(({ state }) => ({
        generation: state.generation,
        columns: keptColumns(state),
      }));
      known.set(app, read);
      // Who asked hears of it; whoever comes next asks anew.
      read.catch(() => known.get(app) === read && known.delete(app));
      return read;
    },
    async refused(app, shard) {
      known.delete(app);
      await catchUp(parts, app, shard);
    },
    forget: () => known.clear(),
  };
}
