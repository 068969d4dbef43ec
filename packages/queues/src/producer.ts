import { Queue, type Telemetry } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';
import { hurryInOrder } from './hurry-in-order';

export interface NewJob<T> {
  /** Derived from what the job stands for: a live job with the same id is not added twice. */
  readonly id: string;
  readonly data: T;
  readonly delayMs?: number;
  /** Taken when no job without one waits; the least first. */
  readonly priority?: number;
}

/** Adds jobs to one queue. */
export interface Producer<T> {
  readonly queue: string;
  add(jobs: readonly NewJob<T>[]): Promise<void>;
  /** Whether a job with this id waits or is being worked on. */
  has(id: string): Promise<boolean>;
  /** Takes a job away that waits, if there is one; one that is being worked on stays. */
  remove(id: string): Promise<void>;
  /** Jobs that are not finished, by state; those of a paused queue do not count as waiting. */
  depth(): Promise<Readonly<Record<string, number>>>;
  /** When the oldest of the jobs at the front, due or being worked on, was added; undefined when there is none. */
  frontAddedAt(): Promise<number | undefined>;
  /** Consumers of the queue, anywhere; at least 1 where the server does not tell. */
  consumers(): Promise<number>;
  /**
   * Jobs that wait for their time are looked at now, those first that were added first, but for those that fall due by
   * themselves meanwhile; those that are early wait again.
   */
  hurry(): Promise<void>;
  close(): Promise<void>;
}

export interface QueueLocation {
  /** A connection; it stays the caller's to close. */
  readonly redis: Redis | Cluster;
  /** First part of every key. */
  readonly namespace: string;
  readonly queue: string;
  readonly onError: (error: Error) => void;
  /** Jobs are added by it where the clock of this process is off; absent: by that of this process. */
  readonly clock?: { now(): number; isOff(): boolean } | undefined;
  /** Carries traces from the adding of a job to its runs. */
  readonly telemetry?: Telemetry | undefined;
}

/** BullMQ's keys of one queue share a hash tag, or a cluster could not run its scripts. */
export const prefixOf = ({ namespace, queue }: Pick<QueueLocation, 'namespace' | 'queue'>): string =>
  `${namespace}:{${queue}}`;

/** The library keeps ids of digits alone for itself and refuses them; one push id in thirty million is such a one. */
const jobIdOf = (id: string): string => (/^\d+$/.test(id) ? `${id}-` : id);

/** Events kept per queue: nobody reads them, the library writes them. */
const MAX_EVENTS = 100;

export function openProducer<T>(location: QueueLocation): Producer<T> {
  const queue = new Queue(location.queue, {
    connection: location.redis,
    prefix: prefixOf(location),
    streams: { events: { maxLen: MAX_EVENTS } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
    skipWaitingForReady: true,
    ...(location.telemetry ? { telemetry: location.telemetry } : {}),
  });
  queue.on('error', location.onError);
  return {
    queue: location.queue,
    async add(jobs) {
      const [first, ...others] = jobs.map(({ id, data, delayMs, priority }) => ({
        name: 'job',
        data,
        opts: {
          jobId: jobIdOf(id),
          ...(delayMs ? { delay: delayMs } : {}),
          ...(priority ? { priority } : {}),
          ...(location.clock?.isOff() ? { timestamp: location.clock.now() } : {}),
        },
      }));
      if (!first) return;
      // One by itself needs no transaction.
      if (others.length === 0) await queue.add(first.name, first.data, first.opts);
      else await queue.addBulk([first, ...others]);
    },
    // Finished jobs leave nothing behind, so what is there lives; the library's look at the state reads whole lists.
    has: async (id) => (await location.redis.exists(queue.toKey(jobIdOf(id)))) === 1,
    remove: async (id) => void (await queue.remove(jobIdOf(id))),
    async depth() {
      const counted = queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
      const [counts, isPaused] = await Promise.all([counted, queue.isPaused()]);
      return isPaused ? { ...counts, paused: counts['waiting'] ?? 0, waiting: 0 } : counts;
    },
    async frontAddedAt() {
      // By name: the library reads whole jobs, and fails for all of them where the data of one is damaged.
      const front = await queue.getRanges(['waiting', 'prioritized', 'active'], 0, 0, true);
      const added = await Promise.all(front.map((id) => location.redis.hget(queue.toKey(id), 'timestamp')));
      const times = added.flatMap((time) => (time === null ? [] : [Number(time)]));
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    consumers: () => queue.getWorkersCount(),
    hurry: () => hurryInOrder(location.redis, queue),
    close: () => queue.close(),
  };
}
