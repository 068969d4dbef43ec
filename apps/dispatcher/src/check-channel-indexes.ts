import type { Store } from '@pushfleet/store';
import { openUpkeepLease, type LeasedPorts } from './upkeep-lease';

export type CheckPorts = LeasedPorts<{
  readonly apps: Pick<Store['apps'], 'ids' | 'count'>;
  readonly installations: Pick<Store['installations'], 'channels'>;
}>;

/**
 * Compares every app's index of channels with its records when that is due: soon after it was made, and once a day. Each
 * run resolves with the number of entries that were missing.
 */
export function openIndexChecker({ store, now, stopping, attempt }: CheckPorts): () => Promise<number> {
  const { channels } = store.installations;
  const holdLease = openUpkeepLease(store.leases, 'channel-indexes');
  return async () => {
    if (!(await holdLease())) return 0;
    const apps = await store.apps.ids();
    const settledAt = await channels.noteFleet({ now: now(), isFresh: async () => (await store.apps.count()) === 0 });
    // Asked of all at once: a run comes every second, and of a thousand idle apps it would ask one after the other.
    const states = await channels.states();
    let missing = 0;
    for (const app of apps.filter((id) => states.get(id)?.isDue ?? true)) {
      if (stopping.aborted || !(await holdLease())) break;
      missing += (await attempt({ app }, () => channels.check(app, { now, settledAt, stopping }))) ?? 0;
    }
    return missing;
  };
}
