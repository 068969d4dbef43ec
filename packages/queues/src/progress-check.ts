import type { Consumer } from './consumer';
import type { Producer } from './producer';

/** Work that waits this long without progress means that the process is stuck. */
const LIMIT_MS = 120_000;
/** A Redis that is away is no reason to start a process anew. */
const DEPTH_TIMEOUT_MS = 500;

/** A liveness check: throws when there has been work for two minutes and none of it got on. */
export function progressCheck(
  consumer: Pick<Consumer, 'queue' | 'lastProgressAt' | 'heldJobs'>,
  producer: Pick<Producer<never>, 'depth'>,
  now: () => number = () => performance.now(),
): () => Promise<void> {
  let busySince: number | undefined;
  return async () => {
    const waiting = await waitingJobs(producer);
    const isBusy = waiting !== undefined && waiting + consumer.heldJobs() > 0;
    busySince = isBusy ? (busySince ?? now()) : undefined;
    if (busySince === undefined) return;
    const stuckMs = now() - Math.max(busySince, consumer.lastProgressAt());
    if (stuckMs > LIMIT_MS) throw new Error(`${consumer.queue}: no progress for ${Math.round(stuckMs / 1000)} s`);
  };
}

/** Undefined when Redis does not answer soon. */
async function waitingJobs(producer: Pick<Producer<never>, 'depth'>): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, DEPTH_TIMEOUT_MS, undefined);
  });
  const waiting = producer.depth().then(
    (depth) => (depth['waiting'] ?? 0) + (depth['prioritized'] ?? 0),
    () => undefined,
  );
  const answer = await Promise.race([waiting, timeout]);
  clearTimeout(timer);
  return answer;
}
