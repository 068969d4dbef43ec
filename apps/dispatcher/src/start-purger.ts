import { randomUUID } from 'node:crypto';
import type { Envelope, Producer } from '@pushfleet/queues';
import { repeat, type Logger, type Repeated } from '@pushfleet/service-kit';
import type { Store } from '@pushfleet/store';

export interface PurgePorts {
  readonly store: Pick<Store, 'purges' | 'leases'>;
  /** Jobs of scheduled pushes would wait there for their time. */
  readonly schedule: Pick<Producer<Envelope>, 'remove'>;
  readonly stopping: AbortSignal;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const PAUSE_MS = 1000;
const LEASE = 'purge';
const LEASE_MS = 15_000;

/** Goes on with the deletion of apps that were removed, unless another dispatcher does. */
export function startPurger({ store, schedule, stopping, log }: PurgePorts): Repeated {
  const owner = randomUUID();
  const hold = (): Promise<boolean> => store.leases.hold(LEASE, owner, LEASE_MS);
  const onError = (err: unknown): void => log.error({ err }, 'deleting the data of an app failed');
  const renew = (lost: AbortController): void =>
    void hold().then(
      (isHeld) => isHeld || lost.abort(),
      (error: unknown) => onError(error),
    );
  const onPushes = async (pushIds: readonly string[]): Promise<void> => {
    await Promise.all(pushIds.map((pushId) => schedule.remove(pushId)));
  };
  const purge = async (): Promise<void> => {
    const apps = [...(await store.purges.list()).keys()];
    if (apps.length === 0 || stopping.aborted || !(await hold())) return;
    const lost = new AbortController();
    const renewal = setInterval(renew, LEASE_MS / 3, lost);
    const run = { stopping: AbortSignal.any([stopping, lost.signal]), onPushes };
    try {
      for (const app of apps)
        if (await store.purges.run(app, run)) log.info({ app }, 'the data of a deleted app is gone');
    } finally {
      clearInterval(renewal);
      await store.leases.release(LEASE, owner);
    }
  };
  return repeat(PAUSE_MS, purge, onError);
}
