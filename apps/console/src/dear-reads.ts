import { LIMITS } from '@pushfleet/domain';
import { Refusal } from '@pushfleet/http-edge';
import { FairGate } from '@pushfleet/service-kit';
import type { Caller } from './http/access';
import type { DearReadMetrics } from './metrics';

/** Each keeps this process and Redis busy for a second or less; one person alone leaves places to the others. */
const PLACES = { atOnce: 4, perAccount: 1 };
const RETRY_SECONDS = 2;

interface Reader {
  readonly caller: Pick<Caller, 'by'>;
  /** Aborted when nobody waits for the answer any more. */
  signal(): AbortSignal;
}

/** Reads that look at many records: those of all callers take turns. */
export class DearReads {
  private readonly gate = new FairGate(PLACES);

  constructor(private readonly metrics: DearReadMetrics) {}

  /** Runs a read when it is the turn of its caller; rejects when too many of theirs wait. */
  async run<T>({ caller: { by }, signal }: Reader, read: () => Promise<T>): Promise<T> {
    const most = LIMITS.dearReadsWaiting.value;
    if (this.gate.waiting(by) >= most) {
      this.metrics.refused();
      throw new Refusal('too-many-calls', `${most} reads of ${by} wait for their turn; try again`, RETRY_SECONDS);
    }
    let waiting = 1;
    const waitNoMore = (): void => {
      this.metrics.waiting(-waiting);
      waiting = 0;
    };
    this.metrics.waiting(waiting);
    const begin = (): Promise<T> => {
      waitNoMore();
      return read();
    };
    return this.gate.run(by, begin, signal).finally(waitNoMore);
  }
}
