import { DelayedError, type Job } from 'bullmq';
import type { z } from 'zod';
import { prefixOf, type QueueLocation } from './producer';
import { PromptWorker } from './prompt-worker';
import { renewAfterOutages } from './renewed-worker';

/** One job in the hands of a handler. */
export interface HeldJob<T> {
  readonly id: string;
  readonly data: T;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  /** That it was added with; 0: none. */
  readonly priority: number;
  /** Aborted when somebody else may have taken the job over: stop at once, the ledger stays right. */
  readonly lost: AbortSignal;
  /** Tells the liveness probe that a long job gets on; the end of a job does so by itself. */
  readonly onProgress: () => void;
}

/** The job is done, or goes to the tail of its queue after a pause; no attempts are counted. */
export type JobResult = 'done' | { readonly again: number };

/** How one run of a job went. */
export interface JobRun {
  /** `failed`: dropped; `lost`: somebody else has it now. */
  readonly result: 'done' | 'again' | 'failed' | 'lost';
  readonly tookMs: number;
  /** From when the job could first be taken to when it was; undefined for later runs. */
  readonly waitedMs: number | undefined;
}

/** Told once per job what a consumer does. */
export interface ConsumerWatcher {
  onOpen(queue: string): void;
  onClose(queue: string): void;
  onRun(queue: string, run: JobRun): void;
  /** A job whose holder stopped renewing it was given to others. */
  onStalled(queue: string): void;
}

export interface ConsumerOptions<T> {
  readonly schema: z.ZodType<T>;
  readonly concurrency: number;
  /** How long a stopped process keeps its jobs, and how often others look for such jobs. */
  readonly lockMs: number;
  readonly stalledCheckMs: number;
  readonly handle: (job: HeldJob<T>) => Promise<JobResult>;
  /** A job that does not parse, or a handler that failed: the job is dropped, the re-driver brings its work back. */
  readonly onFailure: (error: Error, jobId: string) => void;
  readonly watcher?: ConsumerWatcher;
}

export interface Consumer {
  readonly queue: string;
  /** Milliseconds since the epoch of the last job that ended, moved on or got on. */
  lastProgressAt(): number;
  /** Jobs in the hands of handlers. */
  heldJobs(): number;
  /** Takes no new jobs and waits for those at work. */
  close(): Promise<void>;
}

/** Pause before something that cannot be done now is tried again; the library's own would be 15 s. */
const RETRY_MS = 1000;

export function openConsumer<T>(location: QueueLocation, options: ConsumerOptions<T>): Consumer {
  const held = new Map<string, AbortController>();
  let progressAt = Date.now();
  const onProgress = (): void => void (progressAt = Date.now());

  async function process(job: Job, token: string | undefined): Promise<void> {
    const id = job.id ?? '';
    const former = held.get(id);
    if (former) {
      // A job that came back while this process still works on it: its lock was lost, and nobody has said so yet.
      former.abort();
      return postpone(job, token, RETRY_MS);
    }
    const lost = new AbortController();
    held.set(id, lost);
    const work = async (): Promise<JobResult> => {
      const data = options.schema.parse(job.data);
      const { timestamp: addedAt, priority } = job;
      return options.handle({ id, data, addedAt, priority, lost: lost.signal, onProgress });
    };
    try {
      const result = await watched(location.queue, { job, lost: lost.signal, work, watcher: options.watcher });
      onProgress();
      // The job is somebody else's now: it is neither finished nor moved here.
      if (lost.signal.aborted) throw new DelayedError();
      if (result !== 'done') await postpone(job, token, result.again);
    } finally {
      held.delete(id);
    }
  }

  const open = (): PromptWorker => {
    const worker = new PromptWorker(location.queue, process, {
      connection: location.redis,
      prefix: prefixOf(location),
      concurrency: options.concurrency,
      lockDuration: options.lockMs,
      stalledInterval: options.stalledCheckMs,
      // A job is a pointer into the ledger: however often its worker dies, it may run again.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      drainDelay: 2,
      runRetryDelay: RETRY_MS,
      ...(location.telemetry ? { telemetry: location.telemetry } : {}),
    });
    worker.on('error', location.onError);
    worker.on('failed', (job, error) => options.onFailure(error, job?.id ?? ''));
    worker.on('lockRenewalFailed', (ids) => ids.forEach((id) => held.get(id)?.abort()));
    worker.on('stalled', () => options.watcher?.onStalled(location.queue));
    return worker;
  };
  const worker = renewAfterOutages(location, { open, isIdle: () => held.size === 0 });
  options.watcher?.onOpen(location.queue);
  return {
    queue: location.queue,
    lastProgressAt: () => progressAt,
    heldJobs: () => held.size,
    close() {
      options.watcher?.onClose(location.queue);
      return worker.close();
    },
  };
}

async function postpone(job: Job, token: string | undefined, pauseMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + pauseMs, token);
  throw new DelayedError();
}

interface Run {
  readonly job: Pick<Job, 'timestamp' | 'opts' | 'attemptsStarted'>;
  readonly lost: AbortSignal;
  readonly work: () => Promise<JobResult>;
  readonly watcher: ConsumerWatcher | undefined;
}

async function watched(queue: string, { job, lost, work, watcher }: Run): Promise<JobResult> {
  const startedAt = Date.now();
  const waitedMs = job.attemptsStarted > 1 ? undefined : startedAt - job.timestamp - (job.opts.delay ?? 0);
  const report = (result: JobRun['result']): void =>
    watcher?.onRun(queue, { result, tookMs: Date.now() - startedAt, waitedMs });
  try {
    const result = await work();
    if (lost.aborted) report('lost');
    else report(result === 'done' ? 'done' : 'again');
    return result;
  } catch (error) {
    report('failed');
    throw error;
  }
}
