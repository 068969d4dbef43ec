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
  type QueueLocation,
} from '@pushfleet/queues';
import { dispatchEnvelope, type DispatchPorts } from './dispatch';
import { foldReceipts } from './fold-receipts';

export interface ConsumersOptions {
  readonly at: (queue: string) => QueueLocation;
  readonly concurrency: number;
  readonly onFailure: (queue: string) => (error: Error, jobId: string) => void;
}

/** Direct work: a process that died must not hold a one-time password for longer than a few seconds. */
const LOCKS = { lockMs: 5000, stalledCheckMs: 2000 };

/** Scheduled pushes have their own consumer, so that the nine-o'clock herd delays nobody. */
export function openConsumers(
  ports: DispatchPorts,
  { at, concurrency, onFailure }: ConsumersOptions,
): readonly Consumer[] {
  const dispatch = async (job: HeldJob<Envelope>): Promise<'done'> => {
    const endTimer = ports.metrics.dispatchSeconds.startTimer();
    await dispatchEnvelope(ports, job.id, job.data.pushIds);
    endTimer();
    return 'done';
  };
  const dispatchers = [PUSH_REQUESTS, PUSH_SCHEDULE].map((queue) =>
    openConsumer(at(queue), {
      ...LOCKS,
      concurrency,
      schema: envelopeSchema,
      handle: dispatch,
      onFailure: onFailure(queue),
    }),
  );
  const receipts = openConsumer(at(RECEIPTS), {
    ...LOCKS,
    concurrency,
    schema: receiptsSchema,
    handle: async (job) => {
      await foldReceipts(ports.store, job.data);
      return 'done';
    },
    onFailure: onFailure(RECEIPTS),
  });
  return [...dispatchers, receipts];
}
