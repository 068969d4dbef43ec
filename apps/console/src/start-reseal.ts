import { repeat, type Logger, type Repeated } from '@pushfleet/service-kit';
import { isRedisAway, underLease, type Sealing, type Store } from '@pushfleet/store';

export interface ResealPorts {
  readonly sealing: Sealing;
  readonly leases: Store['leases'];
  readonly stopping: AbortSignal;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

const LOOK_EVERY_MS = 1000;

/** One console of all seals everything anew once that is asked for; another goes on where one was stopped or killed. */
export function startReseal({ sealing, leases, stopping, log }: ResealPorts): Repeated {
  const onError = (err: unknown): void => log.error({ err }, 'sealing the secrets anew failed');
  // Redis that is away fails this every second, when there is nothing to seal; the log tells of Redis.
  const mustReseal = (): Promise<boolean> =>
    sealing.mustReseal().catch((error: unknown) => {
      if (isRedisAway(error)) return false;
      throw error;
    });
  const look = async (): Promise<void> => {
    if (stopping.aborted || !(await mustReseal())) return;
    await underLease({ leases, name: 'reseal', onError }, async (lost) => {
      await sealing.reseal(AbortSignal.any([stopping, lost]));
      if (lost.aborted) return;
      const { reseal, last } = await sealing.progress();
      if (!reseal) log.info({ ...last }, 'every secret is sealed anew');
    });
  };
  return repeat(LOOK_EVERY_MS, look, onError);
}
