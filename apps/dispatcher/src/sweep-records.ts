import { ALL_PUSH_SHARDS, type Store } from '@pushfleet/store';

export interface SweepRecordsPorts {
  readonly store: { readonly closed: Pick<Store['closed'], 'trim'> };
  /** Shards that are left then wait for the next sweep. */
  readonly stopping: AbortSignal;
}

/** Records that one script removes: Redis serves nobody else meanwhile. */
const AT_ONCE = 500;

/** Takes the oldest records of closed pushes away until all of them fit into `maxBytes`. Resolves with their number. */
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
