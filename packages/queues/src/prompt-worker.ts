import { Worker, type Job, type Processor, type WorkerOptions } from 'bullmq';

/**
 * A worker that begins a job as soon as it has it. The library asks for jobs until it holds as many as it may or there are
 * no more, and begins the first one only then, a trip to Redis later (`mainLoop` of BullMQ 6.7). Allowed no more than one
 * beyond those at work, it begins that one before it asks again.
 */
export class PromptWorker extends Worker {
  private readonly most: number;
  private atWork = 0;
  private asking = 0;

  constructor(queue: string, processor: Processor, options: WorkerOptions & { readonly concurrency: number }) {
    super(queue, processor, options);
    this.most = options.concurrency;
    this.concurrency = 1;
  }

  /** Has no job, and none is on its way. */
  get isQuiet(): boolean {
    return this.atWork === 0 && this.asking === 0;
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
      return await super.moveToActive(token, name);
    } finally {
      this.asking -= 1;
    }
  }

  private count(change: number): void {
    this.atWork += change;
    this.concurrency = Math.min(this.most, this.atWork + 1);
  }
}
