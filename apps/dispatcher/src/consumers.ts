import {
  envelopeSchema,
  openConsumer,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  RECEIPTS,
  receiptsSchema,
  type Consumer,
  type Envelope,
  type HeldJob,
  type JobResult,
  type QueueLocation,
  type ReceiptsJob,
} from '@pushfleet/queues';
import { dispatchEnvelope, type DispatchPorts } from './dispatch';
import { foldReceipts } from './fold-receipts';

export interface ConsumersOptions {
  readonly at: (queue: string) => QueueLocation;
  readonly concurrency: number;
  readonly onFailure: (queue: string) => (error: Error, jobId: string) => void;
}

/** Direct work: a process that died must not hold a one-time password for longer than a few seconds. */
const LOCKS = { lockMs: 5000 };

/** No ledger could repair a lost job of receipts. A receipt that is counted twice changes nothing. */
const RECEIPTS_RETRY = { againMs: 5000, forMs: 3_600_000 };

/** A push is written at the same time as its job; a push without a record after a while was not accepted. */
const RECORDS_LATE = { againMs: 20, forMs: 5000 };

/** Scheduled pushes have their own consumer, so that the nine-o'clock herd delays nobody. */
export function openConsumers(
  ports: DispatchPorts,
  { at, concurrency, onFailure }: ConsumersOptions,
): readonly Consumer[] {
  const dispatch = async (job: HeldJob<Envelope>): Promise<JobResult> => {
    const endTimer = ports.metrics.dispatchSeconds.startTimer();
    const { id, priority, data } = job;
    const missing = await dispatchEnvelope({ ...ports, priority }, id, data.pushIds);
    endTimer();
    const isNew = ports.now() - job.addedAt < RECORDS_LATE.forMs;
    return missing.length > 0 && isNew ? { again: RECORDS_LATE.againMs } : 'done';
  };
  const dispatchers = [PUSH_REQUESTS, PUSH_SCHEDULE].map((queue) =>
    openConsumer(at(queue), {
      ...LOCKS,
      concurrency,
      schema: envelopeSchema,
      handle: dispatch,
      onFailure: onFailure(queue),
      watcher: ports.metrics.jobs,
    }),
  );
  const receipts = openConsumer(at(RECEIPTS), {
    ...LOCKS,
    concurrency,
    schema: receiptsSchema,
    handle: (job) => foldOrKeep(ports, job, onFailure(RECEIPTS)),
    onFailure: onFailure(RECEIPTS),
    watcher: ports.metrics.jobs,
  });
  return [...dispatchers, receipts];
}

async function foldOrKeep(
  { store, now }: DispatchPorts,
  job: HeldJob<ReceiptsJob>,
  onFailure: (error: Error, jobId: string) => void,
): Promise<JobResult> {
  try {
    await foldReceipts(store, job.data);
  } catch (error) {
    if (now() - job.addedAt > RECEIPTS_RETRY.forMs) throw error;
    onFailure(error instanceof Error ? error : new Error(String(error)), job.id);
    return { again: RECEIPTS_RETRY.againMs };
  }
  return 'done';
}
