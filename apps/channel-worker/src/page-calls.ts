import type { BatchResult, Retry, Verdict } from './verdict';

/** The state of a page; each of its calls ends by itself. */
export interface PageResult {
  /** In the order of the devices; undefined for a device that is to be tried again. */
  readonly verdicts: readonly (Verdict | undefined)[];
  /** Why devices are to be tried again; absent when there are none. */
  readonly retry?: Retry | undefined;
  /** How the calls ended that have to be repeated, by the places of their devices. */
  readonly repeats?: ReadonlyMap<number, Retry>;
  /** So many devices, from the first on, were in calls that have to be repeated or have their verdicts. */
  readonly called?: number;
  /** The verdicts look like wrong credentials: no device is taken out of the audience because of them. */
  readonly isSuspect?: boolean;
}

export interface PageCalls<Device> {
  readonly devices: readonly Device[];
  /** Devices in one call. */
  readonly maxBatch: number;
  /** Calls under way at once. */
  readonly width: number;
  /** Devices of the first call, which goes alone until it is answered; 0: no call goes alone. */
  readonly first: number;
  /** Waits for room for a call. */
  begin(): Promise<void>;
  end(): void;
  /** Makes one call. Never rejects. */
  send(devices: readonly Device[]): Promise<BatchResult>;
  /** Why no further call may begin; undefined when one may. */
  hold(): Retry | undefined;
}

/** Sends a page in calls of the vendor's size, several at once. A call that has to be repeated keeps others from beginning. */
export async function sendCalls<Device>(calls: PageCalls<Device>): Promise<PageResult> {
  const sending = new Sending(calls);
  if (calls.first > 0) await sending.callNext(calls.first);
  const runners = Math.min(calls.width, Math.ceil(calls.devices.length / calls.maxBatch));
  await Promise.all(Array.from({ length: Math.max(1, runners) }, () => sending.run()));
  return sending.result();
}

class Sending<Device> {
  private readonly verdicts: (Verdict | undefined)[];
  private next = 0;
  private retry: Retry | undefined;
  private readonly repeats = new Map<number, Retry>();
  /** The credentials are wrong for the other calls as well. */
  private refusal: Verdict | undefined;

  constructor(private readonly calls: PageCalls<Device>) {
    this.verdicts = new Array<Verdict | undefined>(calls.devices.length).fill(undefined);
  }

  async run(): Promise<void> {
    while (this.mayBegin()) await this.callNext(this.calls.maxBatch);
  }

  async callNext(devices: number): Promise<void> {
    await this.calls.begin();
    try {
      // While this call waited for room, another call may have ended with a reason to stop.
      if (this.mayBegin()) await this.call(devices);
    } finally {
      this.calls.end();
    }
  }

  private mayBegin(): boolean {
    if (this.next >= this.calls.devices.length || this.refusal) return false;
    // The first call was admitted with its page.
    if (this.next > 0) this.retry ??= this.calls.hold();
    return this.retry === undefined;
  }

  private async call(devices: number): Promise<void> {
    const from = this.next;
    const to = Math.min(this.calls.devices.length, from + devices);
    this.next = to;
    const result = await this.calls.send(this.calls.devices.slice(from, to));
    if ('retry' in result) this.repeat(result.retry, { from, to });
    else result.verdicts.forEach((verdict, i) => this.keep(from + i, verdict));
  }

  /** Calls of a page may end for different reasons: that one of them may have been taken is never forgotten. */
  private repeat(retry: Retry, { from, to }: { from: number; to: number }): void {
    for (let place = from; place < to; place += 1) this.repeats.set(place, retry);
    if (this.retry && retry.isUnknown) this.retry = { ...this.retry, isUnknown: true };
    else this.retry ??= retry;
  }

  private keep(place: number, verdict: Verdict): void {
    this.verdicts[place] = verdict;
    if (verdict.kind === 'discarded' && verdict.reason === 'credentials-rejected') this.refusal ??= verdict;
  }

  result(): PageResult {
    const { refusal, retry, repeats, verdicts } = this;
    if (refusal && !retry) return { verdicts: verdicts.map((verdict) => verdict ?? refusal) };
    return verdicts.includes(undefined) ? { verdicts, retry, repeats, called: this.next } : { verdicts };
  }
}
