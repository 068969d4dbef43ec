import type { Attempt } from './attempts';
import { ALL_SHARDS, type Store } from '@pushfleet/store';

export interface SweepRecordsPorts {
  readonly store: { readonly closed: Pick<Store['closed'], 'trim'> };
  /** After this time the remaining shards wait for the next sweep. */
  readonly stopping: AbortSignal;
}

export interface SweepOutcomesPorts {
  readonly store: { readonly apps: Pick<Store['apps'], 'list'>; readonly outcomes: Pick<Store['outcomes'], 'trim'> };
  readonly stopping: AbortSignal;
  readonly attempt: Attempt;
}

/** Drops the outcomes of the oldest audience pushes of each app until the others fit. Resolves with the number of pushes. */
export async function sweepOutcomes({ store, stopping, attempt }: SweepOutcomesPorts): Promise<number> {
  let dropped = 0;
  for (const { id: app } of await store.apps.list()) {
    if (stopping.aborted) break;
    dropped += (await attempt({ app }, () => store.outcomes.trim(app, stopping))) ?? 0;
  }
  return dropped;
}

/** Removes the oldest records of closed pushes until the others fit into `maxBytes`. Resolves with the number of removed ones. */
export async function sweepRecords({ store, stopping }: SweepRecordsPorts, maxBytes: number): Promise<number> {
  let removed = 0;
  for (const shard of ALL_SHARDS) {
    if (stopping.aborted) break;
    removed += await store.closed.trim(shard, { maxBytes, stopping });
  }
  return removed;
}
