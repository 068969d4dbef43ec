import { randomUUID } from 'node:crypto';
import type { LeaseStore } from './leases';

export interface LeasedWork {
  readonly leases: LeaseStore;
  readonly name: string;
  /** Called when the lease could not be renewed; the lease may be lost. */
  readonly onError: (error: unknown) => void;
}

const LEASE_MS = 15_000;

/**
 * Runs long work in one process of the fleet. False when another process has the lease. `lost` is aborted when another process
 * took the lease over, after a pause of this process for instance, so that the two do not work side by side.
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
