import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import type { QueueLocation } from './producer';
import type { PromptWorker } from './prompt-worker';

/** A worker that is replaced by a new one where the library leaves it without a connection. */
export interface RenewedWorker {
  current(): PromptWorker;
  /** Takes no new jobs and waits for those at work. */
  close(): Promise<void>;
}

/** Ending a worker without a connection takes as long as its jobs, and then no longer than this. */
const FORMER_MS = 5000;
/** How often a worker that shall end is asked whether it is quiet. */
const QUIET_CHECK_MS = 10;

/**
 * After an outage of a whole cluster the blocking connection of a worker may stay down for good
 * (taskforcesh/bullmq issue 4138), while the connection that it was made from has come back.
 */
export function renewAfterOutages(
  { redis, onError }: QueueLocation,
  { open, isIdle }: { open: () => PromptWorker; isIdle: () => boolean },
): RenewedWorker {
  let worker = open();
  const current = (): PromptWorker => worker;
  if (!(redis instanceof Cluster)) return { current, close: () => worker.close() };
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
    current,
    async close() {
      redis.off('close', onClose);
      redis.off('ready', onReady);
      await Promise.all([endOf(worker, { onError, isIdle }), ...ending]);
    },
  };
}

/** A worker has until its jobs are done, and then a while for its connection, which may never end. */
async function endOf(
  worker: PromptWorker,
  { onError, isIdle = () => true }: Pick<QueueLocation, 'onError'> & { isIdle?: () => boolean },
): Promise<void> {
  let idleSince: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      idleSince = isIdle() ? (idleSince ?? performance.now()) : undefined;
      if (idleSince !== undefined && performance.now() - idleSince >= FORMER_MS) resolve();
    }, 100);
  });
  await Promise.race([closeQuiet(worker, onError), patience]);
  clearInterval(timer);
}

/**
 * The library's own wait for jobs interrupts the blocking connection, takes that for an outage of the cluster and connects
 * again, and then waits for an end that never comes (BullMQ 6.7). A worker that is quiet can be closed without it. One that
 * still connects would leave its connection behind.
 */
async function closeQuiet(worker: PromptWorker, onError: (error: Error) => void): Promise<void> {
  await worker.pause(true);
  await worker.waitUntilReady().catch(onError);
  while (!worker.isQuiet) await sleep(QUIET_CHECK_MS, undefined, { ref: false });
  await worker.close(true);
}
