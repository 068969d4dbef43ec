import type { Store } from '@pushfleet/store';
import { openUpkeepLease, type LeasedPorts } from './upkeep-lease';

export type MovePorts = LeasedPorts<{
  readonly apps: Pick<Store['apps'], 'ids'>;
  readonly installations: Pick<Store['installations'], 'moves'>;
}>;

/** Buckets of profile names that devices invented, which an earlier release made. */
const LOOK_FOR_MERGES_MS = 600_000;

/**
 * Puts devices into the bucket of their profile when it is saved, and those whose profile does not exist into one bucket
 * per channel. Each run resolves with the number of devices that were moved.
 */
export function openBucketMover({ store, now, stopping, attempt }: MovePorts): () => Promise<number> {
  const { moves } = store.installations;
  const holdLease = openUpkeepLease(store.leases, 'bucket-moves');
  let looksAgainAt = 0;

  async function lookForMerges(): Promise<void> {
    if (now() < looksAgainAt) return;
    for (const app of await store.apps.ids()) await attempt({ app }, () => moves.requestMerges(app, now()));
    looksAgainAt = now() + LOOK_FOR_MERGES_MS;
  }

  return async () => {
    if (!(await holdLease())) return 0;
    await lookForMerges();
    let moved = 0;
    for (const move of await moves.list()) {
      if (stopping.aborted || !(await holdLease())) break;
      moved += (await attempt({ app: move.app }, () => moves.run(move, { now, stopping }))) ?? 0;
    }
    return moved;
  };
}
