import type { Attempt } from './attempts';
import type { Store } from '@pushfleet/store';

export interface SweepOutcomesPorts {
  readonly store: { readonly apps: Pick<Store['apps'], 'ids'>; readonly outcomes: Pick<Store['outcomes'], 'trim'> };
  readonly stopping: AbortSignal;
  readonly attempt: Attempt;
}

/** Drops the outcomes of the oldest audience pushes of each app until the others fit. Resolves with the number of pushes. */
export async function sweepOutcomes({ store, stopping, attempt }: SweepOutcomesPorts): Promise<number> {
  let dropped = 0;
  for (const app of await store.apps.ids()) {
    if (stopping.aborted) break;
    dropped += (await attempt({ app }, () => store.outcomes.trim(app, stopping))) ?? 0;
  }
  return dropped;
}
