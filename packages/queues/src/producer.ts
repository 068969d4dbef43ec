import { Queue } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';

export interface NewJob<T> {
  /** Derived from what the job stands for: a live job with the same id is not added twice. */
  readonly id: string;
  readonly data: T;
  readonly delayMs?: number;
}

/** Adds jobs to one queue. */
export interface Producer<T> {
  readonly queue: string;
  add(jobs: readonly NewJob<T>[]): Promise<void>;
  /** Jobs that are not finished, by state. */
  depth(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

export interface QueueLocation {
  /** A connection; it stays the caller's to close. */
  readonly redis: Redis | Cluster;
  /** First part of every key. */
  readonly namespace: string;
  readonly queue: string;
  readonly onError: (error: Error) => void;
}

/** BullMQ's keys of one queue share a hash tag, or a cluster could not run its scripts. */
export const prefixOf = ({ namespace, queue }: Pick<QueueLocation, 'namespace' | 'queue'>): string =>
  `${namespace}:{${queue}}`;

/** Events kept per queue: nobody reads them, the library writes them. */
const MAX_EVENTS = 100;

export function openProducer<T>(location: QueueLocation): Producer<T> {
  const queue = new Queue(location.queue, {
    connection: location.redis,
    prefix: prefixOf(location),
    streams: { events: { maxLen: MAX_EVENTS } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    skipWaitingForReady: true,
  });
  queue.on('error', location.onError);
  return {
    queue: location.queue,
    async add(jobs) {
      if (jobs.length === 0) return;
      await queue.addBulk(
        jobs.map(({ id, data, delayMs }) => ({
          name: 'job',
          data,
          opts: { jobId: id, ...(delayMs ? { delay: delayMs } : {}) },
        })),
      );
    },
    depth: () => queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized'),
    close: () => queue.close(),
  };
}
