import type { Store } from '@pushfleet/store';
import { openUpkeepLease, type LeasedPorts } from './upkeep-lease';

export type ColumnPorts = LeasedPorts<{
  readonly apps: Pick<Store['apps'], 'ids'>;
  readonly installations: Pick<Store['installations'], 'channels' | 'columns'>;
}>;

/**
 * Makes, checks and removes the indexes of columns that operators chose. Each run resolves with the number of entries that it
 * added; what is cut off goes on where it stopped, in whichever dispatcher.
 */
export function openColumnIndexer({ store, now, stopping, attempt }: ColumnPorts): () => Promise<number> {
  const { channels, columns } = store.installations;
  const holdLease = openUpkeepLease(store.leases, 'column-indexes');
  return async () => {
    if (!(await holdLease())) return 0;
    const indexed = await columns.all();
    if (indexed.size === 0) return 0;
    const apps = new Set(await store.apps.ids());
    const settledAt = await channels.columnsSettledAt();
    let added = 0;
    for (const app of indexed.keys()) {
      if (stopping.aborted || !(await holdLease())) break;
      if (!apps.has(app)) continue;
      added += (await attempt({ app }, () => columns.work(app, { now, settledAt, stopping }))) ?? 0;
    }
    return added;
  };
}
