import { randomUUID } from 'node:crypto';
import type { Store } from '@pushfleet/store';
import type { Attempt } from './attempts';

type Leases = Pick<Store['leases'], 'hold'>;

/** What periodic work is given that one process does for all. */
export interface LeasedPorts<Stores> {
  readonly store: Stores & { readonly leases: Leases };
  readonly now: () => number;
  /** Work that is cut off goes on where it stopped, in this process or in another. */
  readonly stopping: AbortSignal;
  readonly attempt: Attempt;
}

const LIFE_MS = 30_000;

/** Each call begins the lease, or renews it. Two processes at once would do no harm, but the same work twice. */
export function openUpkeepLease(leases: Leases, name: string): () => Promise<boolean> {
  const owner = randomUUID();
  return () => leases.hold(name, owner, LIFE_MS);
}
