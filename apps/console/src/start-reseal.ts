import { randomUUID } from 'node:crypto';
import { repeat, type Logger, type Repeated } from '@pushfleet/service-kit';
import type { Sealing, Store } from '@pushfleet/store';

export interface ResealPorts {
  readonly sealing: Sealing;
  readonly leases: Store['leases'];
  readonly stopping: AbortSignal;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const LOOK_EVERY_MS = 1000;
const LEASE = 'reseal';
const LEASE_MS = 15_000;

/** One console of all seals everything anew once that is asked for; another goes on where one was stopped or killed. */
export function startReseal({ sealing, leases, stopping, log }: ResealPorts): Repeated {
  const owner = randomUUID();
  const onError = (err: unknown): void => log.error({ err }, 'sealing the secrets anew failed');
  const hold = (): Promise<boolean> => leases.hold(LEASE, owner, LEASE_MS);
  return repeat(
    LOOK_EVERY_MS,
    async () => {
      if (stopping.aborted || !(await sealing.mustReseal()) || !(await hold())) return;
      const renewal = setInterval(() => void hold().catch(onError), LEASE_MS / 3);
      try {
        await sealing.reseal(stopping);
        const { reseal, last } = await sealing.progress();
        if (!reseal) log.info({ ...last }, 'every secret is sealed anew');
      } finally {
        clearInterval(renewal);
        await leases.release(LEASE, owner);
      }
    },
    onError,
  );
}
