import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'bullmq';
import { Cluster } from 'ioredis';
import type { QueueLocation } from './producer';

/** A worker that is replaced by a new one where the library leaves it without a connection. */
export interface RenewedWorker {
  /** Takes no new jobs and waits for those at work. */
  close(): Promise<void>;
}

/** Ending a worker without a connection takes as long as its jobs, and then no longer than this. */
const FORMER_MS = 5000;
/** A cluster connection that is ended while it opens forgets the node that it was asking, and leaves it open. */
const OPENING_MS = 1000;

/**
 * After an outage of a whole cluster the blocking connection of a worker may stay down for good
 * (taskforcesh/bullmq issue 4138), while the connection that it was made from has come back.
 */
export function renewAfterOutages(
  { redis, onError }: QueueLocation,
  { open, isIdle }: { open: () => Worker; isIdle: () => boolean },
): RenewedWorker {
  let worker = open();
  if (!(redis instanceof Cluster)) return { close: () => worker.close() };
  const ending = new Set<Promise<void>>();
  let wasAway = false;
  const onClose = (): void => void (wasAway = true);
  const onReady = (): void => {
    if (!wasAway) return;
    wasAway = false;
    const former = endOf(worker, { onError }).catch(onError);
    ending.add(former);
    void former.then(() => ending.delete(former));
    worker = open();
  };
  redis.on('close', onClose);
  redis.on('ready', onReady);
  return {
    async close() {
      redis.off('close', onClose);
      redis.off('ready', onReady);
      await Promise.all([endOf(worker, { onError, isIdle }), ...ending]);
    },
  };
}

/** A worker has until its jobs are done, and then a while for its connection, which may never end. */
async function endOf(
  worker: Worker,
  { onError, isIdle = () => true }: Pick<QueueLocation, 'onError'> & { isIdle?: () => boolean },
): Promise<void> {
  let idleSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      idleSince = isIdle() ? (idleSince ?? Date.now()) : undefined;
      if (idleSince !== undefined && Date.now() - idleSince >= FORMER_MS) resolve();
    }, 100);
  });
  const closed = async (): Promise<void> => {
    await worker.pause(true);
    await Promise.race([worker.waitUntilReady().catch(onError), sleep(OPENING_MS, undefined, { ref: false })]);
    await worker.close();
  };
  await Promise.race([closed(), patience]);
  clearInterval(timer);
}
