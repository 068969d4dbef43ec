import {
  envelopeSchema,
  openConsumer,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  RECEIPTS,
  receiptsSchema,
  RECORD_LATE_MS,
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

/** How soon a job runs again that began before the records of its pushes were written. */
const RECORD_AGAIN_MS = 20;

/** The clock by which a push is early may be set right meanwhile. */
const EARLY_AGAIN_MS = 60_000;

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
    const isNew = ports.now() - job.addedAt < RECORD_LATE_MS;
    return missing.length > 0 && isNew ? { again: RECORD_AGAIN_MS } : 'done';
  };
  const dispatchDue = async (job: HeldJob<Envelope>): Promise<JobResult> => {
    const earlyMs = await untilDue(ports, job.data);
    return earlyMs > 0 ? { again: Math.min(earlyMs, EARLY_AGAIN_MS) } : dispatch(job);
  };
  const handlers = [[PUSH_REQUESTS, dispatch] as const, [PUSH_SCHEDULE, dispatchDue] as const];
  const dispatchers = handlers.map(([queue, handle]) =>
    openConsumer(at(queue), {
      ...LOCKS,
      concurrency,
      schema: envelopeSchema,
      handle,
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

/** The library hands out what is due by the clock of this process, which may be ahead of that of the fleet. */
async function untilDue({ store, now }: DispatchPorts, { pushIds }: Envelope): Promise<number> {
  if (!store.clock.isOff()) return 0;
  const pushes = await Promise.all(pushIds.map((pushId) => store.pushes.toSend(pushId)));
  return Math.min(...pushes.map((push) => (push && !push.isCancelled ? push.pushTime - now() : 0)));
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
