import { DelayedError, type Job } from 'bullmq';
import type { z } from 'zod';
import { prefixOf, type QueueLocation } from './producer';
import { PromptWorker, type PromptWorkerOptions } from './prompt-worker';
import { openReclaim, tokenOf } from './reclaim';
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
  /** How long a process keeps its jobs that renews them no more and whose connection stays open. */
  readonly lockMs: number;
  readonly handle: (job: HeldJob<T>) => Promise<JobResult>;
  /** A job that does not parse, or a handler that failed: the job is dropped, the re-driver brings its work back. */
  readonly onFailure: (error: Error, jobId: string) => void;
  readonly watcher?: ConsumerWatcher;
}

export interface Consumer {
  readonly queue: string;
  /** When a job last ended, moved on or got on, by `performance.now()`. */
  lastProgressAt(): number;
  /** Jobs in the hands of handlers. */
  heldJobs(): number;
  /** Takes no new jobs and waits for those at work. */
  close(): Promise<void>;
}

/** How often jobs without a lock are looked for; short locks are checked more often. */
const STALLED_CHECK_MS = 500;
const CHECKS_PER_LOCK = 3;
/** Twice as often a job is renewed, and never less than four times while its lock lasts. */
const RENEW_MS = 1000;
const RENEWALS_PER_LOCK = 4;

/** Pause before something that cannot be done now is tried again; the library's own would be 15 s. */
const RETRY_MS = 1000;

export function openConsumer<T>(location: QueueLocation, options: ConsumerOptions<T>): Consumer {
  const held = new Map<string, AbortController>();
  let progressAt = performance.now();
  const onProgress = (): void => void (progressAt = performance.now());

  async function process(job: Job, token: string | undefined): Promise<void> {
    const id = job.id ?? '';
    const former = held.get(id);
    if (former) {
      // A job that came back while this process still works on it: its lock was lost, and nobody has said so yet.
      former.abort();
      worker.current().renewNoMore(id);
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
      if (result === 'done') return;
      worker.current().renewNoMore(id);
      await postpone(job, token, result.again);
    } finally {
      held.delete(id);
    }
  }

  const open = (): PromptWorker => {
    const worker = new PromptWorker(location.queue, process, workerOptions(location, options));
    worker.on('error', location.onError);
    worker.on('failed', (job, error) => options.onFailure(error, job?.id ?? ''));
    worker.on('lockRenewalFailed', (ids) => ids.forEach((id) => held.get(id)?.abort()));
    worker.on('stalled', () => options.watcher?.onStalled(location.queue));
    return worker;
  };
  const worker = renewAfterOutages(location, { open, isIdle: () => held.size === 0 });
  const reclaim = openReclaim(location, {
    lockMs: options.lockMs,
    isHeld: (id) => held.has(id),
    extendLocks: (...locks) => worker.current().extendJobLocks(...locks),
  });
  options.watcher?.onOpen(location.queue);
  return {
    queue: location.queue,
    lastProgressAt: () => progressAt,
    heldJobs: () => held.size,
    async close() {
      options.watcher?.onClose(location.queue);
      await worker.close();
      await reclaim.close();
    },
  };
}

function workerOptions(
  location: QueueLocation,
  { concurrency, lockMs }: Pick<ConsumerOptions<never>, 'concurrency' | 'lockMs'>,
): PromptWorkerOptions {
  return {
    connection: location.redis,
    prefix: prefixOf(location),
    concurrency,
    lockDuration: lockMs,
    lockRenewTime: Math.min(RENEW_MS, lockMs / RENEWALS_PER_LOCK),
    stalledInterval: Math.min(STALLED_CHECK_MS, Math.ceil(lockMs / CHECKS_PER_LOCK)),
    tokenFor: (token) => tokenOf(location, token),
    // A job is a pointer into the ledger: however often its worker dies, it may run again.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    drainDelay: 2,
    runRetryDelay: RETRY_MS,
    ...(location.telemetry ? { telemetry: location.telemetry } : {}),
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
  const startedAt = performance.now();
  const waitedMs = job.attemptsStarted > 1 ? undefined : Date.now() - job.timestamp - (job.opts.delay ?? 0);
  const report = (result: JobRun['result']): void =>
    watcher?.onRun(queue, { result, tookMs: performance.now() - startedAt, waitedMs });
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
