import { setTimeout as sleep } from 'node:timers/promises';
import { isNotConnectionError, Worker, type Job, type Processor, type WorkerOptions } from 'bullmq';

/** Who waited so long for a job got one that came alone, as far as anybody can tell. */
const QUIET_MS = 5;

export interface PromptWorkerOptions extends WorkerOptions {
  readonly concurrency: number;
  /** The token of the locks, from that of the library. */
  readonly tokenFor: (token: string) => string;
}

/**
 * A worker that begins a job as soon as it has it. The library asks for jobs until it holds as many as it may or there are
 * no more, and begins the first one only then, a trip to Redis later (`mainLoop` of BullMQ 6.7). Allowed no more than one
 * beyond those at work, it begins that one before it asks again.
 *
 * It asks less: behind a job that came alone it waits at once, and the end of a job brings no other one along while it waits.
 * The library leaves a mark in Redis with every job that is taken, and whoever waits is woken by it.
 */
export class PromptWorker extends Worker {
  private readonly most: number;
  private readonly tokenFor: PromptWorkerOptions['tokenFor'];
  private atWork = 0;
  private asking = 0;
  /** Since when Redis holds the question for a job back; undefined when none is held back. */
  private waitsSince: number | undefined;
  private cameAlone = false;
  private readonly ending = new AbortController();
  /** The latest run of each job whose lock is renewed. */
  private readonly renewed = new Map<string, Job>();

  constructor(queue: string, processor: Processor, { tokenFor, ...options }: PromptWorkerOptions) {
    super(queue, processor, options);
    this.tokenFor = tokenFor;
    this.most = options.concurrency;
    this.concurrency = 1;
  }

  /** Has no job, and none is on its way. */
  get isQuiet(): boolean {
    return this.atWork === 0 && this.asking === 0;
  }

  /** The lock of the job ends with its move: to renew it meanwhile would look like a loss. */
  renewNoMore(jobId: string): void {
    this.renewed.delete(jobId);
    this.lockManager.untrackJob(jobId);
  }

  override async processJob(
    ...[job, token, mayFetch = () => true]: Parameters<Worker['processJob']>
  ): Promise<void | Job> {
    const id = job.id ?? '';
    this.count(+1);
    this.renewed.set(id, job);
    try {
      return await super.processJob(job, token, () => this.waitsSince === undefined && mayFetch());
    } finally {
      this.count(-1);
      const latest = this.renewed.get(id);
      if (latest === job) this.renewed.delete(id);
      // A job that was moved on may be here again before its former run has ended, with which the library ends the renewals of both.
      else if (latest) this.lockManager.trackJob(id, latest.token ?? '', latest.processedOn ?? Date.now());
    }
  }

  /** What cannot be read is a job without data, which no schema takes: the library would hand it out again and again. */
  protected override createJob(...[json, id]: Parameters<Worker['createJob']>): Job {
    try {
      return super.createJob(json, id);
    } catch {
      return super.createJob({ ...json, data: 'null' }, id);
    }
  }

  protected override getBlockTimeout(blockUntil: number): number {
    this.waitsSince = performance.now();
    return super.getBlockTimeout(blockUntil);
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    const waitedMs = this.waitsSince === undefined ? undefined : performance.now() - this.waitsSince;
    this.waitsSince = undefined;
    const isGuess = this.cameAlone && waitedMs === undefined;
    this.cameAlone = false;
    if (isGuess) return this.nextJobFromJobData();
    this.asking += 1;
    try {
      const job: Job | undefined = await super
        .moveToActive(this.tokenFor(token), name)
        .catch((error: unknown) => this.afterPause(error));
      this.cameAlone = job !== undefined && waitedMs !== undefined && waitedMs >= QUIET_MS;
      return job as Job;
    } finally {
      this.asking -= 1;
    }
  }

  /** The library pauses behind errors of a connection alone, and asks a Redis that is full thousands of times a second. */
  private async afterPause(error: unknown): Promise<never> {
    const { signal } = this.ending;
    if (isNotConnectionError(error as Error))
      await sleep(this.opts.runRetryDelay, undefined, { signal }).catch(() => undefined);
    throw error;
  }

  override close(force?: boolean): Promise<void> {
    this.ending.abort();
    return super.close(force);
  }

  private count(change: number): void {
    this.atWork += change;
    this.concurrency = Math.min(this.most, this.atWork + 1);
  }
}
