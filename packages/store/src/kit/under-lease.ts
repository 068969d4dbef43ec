import { randomUUID } from 'node:crypto';
import type { LeaseStore } from './leases';

export interface LeasedWork {
  readonly leases: LeaseStore;
  readonly name: string;
  /** Told when the lease could not be renewed; it may be lost. */
  readonly onError: (error: unknown) => void;
}

const LEASE_MS = 15_000;

/**
 * Runs long work as the only process that does, or not at all: false when another one does. `lost` is aborted when the lease is
 * somebody else's by now, after a pause of this process for instance, so that the two do not go on side by side.
 */
export async function underLease(
  { leases, name, onError }: LeasedWork,
  run: (lost: AbortSignal) => Promise<void>,
  lifeMs = LEASE_MS,
): Promise<boolean> {
  const owner = randomUUID();
  if (!(await leases.hold(name, owner, lifeMs))) return false;
  const lost = new AbortController();
  const renew = (): Promise<void> =>
    leases.hold(name, owner, lifeMs).then((isHeld) => (isHeld ? undefined : lost.abort()), onError);
  const renewal = setInterval(() => void renew(), lifeMs / 3);
  try {
    await run(lost.signal);
  } finally {
    clearInterval(renewal);
    await leases.release(name, owner);
  }
  return true;
}
