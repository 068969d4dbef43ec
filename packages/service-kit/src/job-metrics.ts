import type { Metrics } from './metrics';

/** One run of a job, as its consumer saw it. */
export interface JobRun {
  readonly result: string;
  readonly tookMs: number;
  readonly waitedMs: number | undefined;
}

export interface JobMetrics {
  onOpen(queue: string): void;
  onClose(queue: string): void;
  onRun(queue: string, run: JobRun): void;
  onStalled(queue: string): void;
}

const WAITING_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300, 1800, 7200];
const RUN_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 5, 15, 60];

/** What a process that takes jobs says about them, by queue; fits the watcher of a consumer. */
export function jobMetrics({
  counter,
  gauge,
  histogram,
}: Pick<Metrics, 'counter' | 'gauge' | 'histogram'>): JobMetrics {
  const consumers = gauge({
    name: 'pushfleet_queue_consumers',
    help: 'Consumers of the queue in this process; their sum is 0 when nobody takes its jobs.',
    labelNames: ['queue'],
  });
  const runs = counter({
    name: 'pushfleet_queue_job_runs_total',
    help: 'Runs of jobs, by result: done, again (goes on later), failed (dropped; the re-driver brings its work back) or lost (somebody else has it).',
    labelNames: ['queue', 'result'],
  });
  const duration = histogram({
    name: 'pushfleet_queue_job_duration_seconds',
    help: 'Time a job is in the hands of a consumer, in one run.',
    labelNames: ['queue'],
    buckets: RUN_SECONDS,
  });
  const waiting = histogram({
    name: 'pushfleet_queue_job_waiting_seconds',
    help: 'From when a job could first be taken to when a consumer took it.',
    labelNames: ['queue'],
    buckets: WAITING_SECONDS,
  });
  const stalled = counter({
    name: 'pushfleet_queue_jobs_stalled_total',
    help: 'Jobs whose holder went silent, given to others.',
    labelNames: ['queue'],
  });
  return {
    onOpen(queue: string): void {
      consumers.set({ queue }, 1);
      // A series that begins with its first event hides that event from every rate.
      for (const result of ['done', 'again', 'failed', 'lost']) runs.inc({ queue, result }, 0);
      stalled.inc({ queue }, 0);
    },
    onClose: (queue: string): void => consumers.set({ queue }, 0),
    onRun(queue: string, { result, tookMs, waitedMs }: JobRun): void {
      runs.inc({ queue, result });
      duration.observe({ queue }, tookMs / 1000);
      if (waitedMs !== undefined) waiting.observe({ queue }, Math.max(0, waitedMs) / 1000);
    },
    onStalled: (queue: string): void => stalled.inc({ queue }),
  };
}
