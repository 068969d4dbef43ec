import { chunksOf } from '@pushfleet/domain';
import { soleJobId, type Envelope, type Producer } from '@pushfleet/queues';
import { repeat, type Logger, type Repeated } from '@pushfleet/service-kit';
import { underLease, type Store } from '@pushfleet/store';
import type { Attempt } from './attempts';

export interface PurgePorts {
  readonly store: Pick<Store, 'purges' | 'leases'>;
  /** The queue where jobs of scheduled pushes wait for their time. */
  readonly schedule: Pick<Producer<Envelope>, 'remove'>;
  readonly stopping: AbortSignal;
  readonly attempt: Attempt;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const PAUSE_MS = 1000;
/** Deletions that look at the data of all apps together. */
const TOGETHER = 100;

/** Goes on with the deletion of removed apps, unless another dispatcher does. */
export function startPurger({ store, schedule, stopping, attempt, log }: PurgePorts): Repeated {
  const { purges, leases } = store;
  const onError = (err: unknown): void => log.error({ err }, 'deleting the data of an app failed');
  const onPushes = async (pushIds: readonly string[]): Promise<void> => {
    await Promise.all(pushIds.map((pushId) => schedule.remove(soleJobId(pushId))));
  };
  const purge = async (): Promise<void> => {
    const apps = [...(await purges.list()).keys()];
    if (apps.length === 0 || stopping.aborted) return;
    await underLease({ leases, name: 'purge', onError }, async (lost) => {
      const run = {
        stopping: AbortSignal.any([stopping, lost]),
        onPushes,
        onUnreadable: (app: string, err: unknown) => log.error({ err, app }, 'the deletion of an app begins anew'),
        attempt: (app: string, work: () => Promise<void>) => attempt({ app }, work),
      };
      for (const some of chunksOf(apps, TOGETHER)) {
        const gone = await attempt({ apps: some }, () => purges.run(some, run));
        for (const app of gone ?? []) log.info({ app }, 'the data of a deleted app is gone');
      }
    });
  };
  return repeat(PAUSE_MS, purge, onError);
}
