import type { Store } from '@pushfleet/store';

export interface CheckPorts {
  readonly store: {
    readonly apps: Pick<Store['apps'], 'list'>;
    readonly installations: Pick<Store['installations'], 'channels'>;
    readonly leases: Pick<Store['leases'], 'hold'>;
  };
  readonly now: () => number;
  /** Work that is cut off goes on where it stopped, in this process or in another. */
  readonly stopping: AbortSignal;
}

/** Two processes at once would do no harm, but the same work twice. */
const LEASE = { name: 'channel-indexes', lifeMs: 30_000 };

/**
 * Compares every app's index of channels with its records when that is due: soon after it was made, and once a day. Each
 * run resolves with the number of entries that were missing.
 */
export function openIndexChecker({ store, now, stopping }: CheckPorts, owner: string): () => Promise<number> {
  const { channels } = store.installations;
  return async () => {
    if (!(await store.leases.hold(LEASE.name, owner, LEASE.lifeMs))) return 0;
    const apps = await store.apps.list();
    const settledAt = await channels.noteFleet({ now: now(), isFresh: async () => apps.length === 0 });
    let missing = 0;
    for (const { id } of apps) {
      if (stopping.aborted || !(await store.leases.hold(LEASE.name, owner, LEASE.lifeMs))) break;
      missing += await channels.check(id, { now, settledAt, stopping });
    }
    return missing;
  };
}
