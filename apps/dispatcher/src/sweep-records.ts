import { ALL_PUSH_SHARDS, type Store } from '@pushfleet/store';

export interface SweepRecordsPorts {
  readonly store: { readonly closed: Pick<Store['closed'], 'trim'> };
  /** After this time the remaining shards wait for the next sweep. */
  readonly stopping: AbortSignal;
}

/** Records that one script removes: other commands wait meanwhile. */
const AT_ONCE = 500;

/** Removes the oldest records of closed pushes until the others fit into `maxBytes`. Resolves with the number of removed ones. */
export async function sweepRecords({ store, stopping }: SweepRecordsPorts, maxBytes: number): Promise<number> {
  let removed = 0;
  for (const shard of ALL_PUSH_SHARDS) {
    let last = AT_ONCE;
    while (last === AT_ONCE && !stopping.aborted) {
      last = await store.closed.trim(shard, { maxBytes, most: AT_ONCE });
      removed += last;
    }
  }
  return removed;
}
