import { Worker, type Job, type Processor, type WorkerOptions } from 'bullmq';

export interface PromptWorkerOptions extends WorkerOptions {
  readonly concurrency: number;
  /** The token of the locks, from that of the library. */
  readonly tokenFor: (token: string) => string;
}

/**
 * A worker that begins a job as soon as it has it. The library asks for jobs until it holds as many as it may or there are
 * no more, and begins the first one only then, a trip to Redis later (`mainLoop` of BullMQ 6.7). Allowed no more than one
 * beyond those at work, it begins that one before it asks again.
 */
export class PromptWorker extends Worker {
  private readonly most: number;
  private readonly tokenFor: PromptWorkerOptions['tokenFor'];
  private atWork = 0;
  private asking = 0;

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
    this.lockManager.untrackJob(jobId);
  }

  override async processJob(...args: Parameters<Worker['processJob']>): Promise<void | Job> {
    this.count(+1);
    try {
      return await super.processJob(...args);
    } finally {
      this.count(-1);
    }
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    this.asking += 1;
    try {
      return await super.moveToActive(this.tokenFor(token), name);
    } finally {
      this.asking -= 1;
    }
  }

  private count(change: number): void {
    this.atWork += change;
    this.concurrency = Math.min(this.most, this.atWork + 1);
  }
}
