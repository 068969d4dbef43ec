import { CallerGone } from './refusal';

/** Work of requests that must end in time: one timer watches however much of it there is. */
export interface Deadlines {
  /** Begins work that ends with the connection of its caller, too. */
  begin(isCallerGone: () => boolean): Work;
}

/** What one request caused, until it is answered. */
export class Work {
  private controller: AbortController | undefined;
  private reason: Error | undefined;
  private fail: ((reason: Error) => void) | undefined;
  private endsAt: number;
  isOver = false;

  constructor(
    private readonly ms: number,
    private readonly isCallerGone: () => boolean,
  ) {
    this.endsAt = performance.now() + ms;
  }

  /** Aborted when the time is over or the caller has left; made only for who asks, because most work is too short. */
  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.reason) this.controller.abort(this.reason);
    return this.controller.signal;
  }

  /** Settles as a part of the work does, or rejects when the work is ended. */
  within<T>(part: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.fail = reject;
      part.then(resolve, reject);
      if (this.reason) reject(this.reason);
    });
  }

  /** While the caller has to do something, time does not count. */
  pause(): void {
    this.endsAt = Infinity;
  }

  restart(): void {
    this.endsAt = performance.now() + this.ms;
  }

  close(): void {
    this.isOver = true;
  }

  check(now: number, tooLate: () => Error): void {
    if (this.isCallerGone()) this.end(new CallerGone());
    else if (this.endsAt <= now) this.end(tooLate());
  }

  private end(reason: Error): void {
    this.isOver = true;
    this.reason = reason;
    this.controller?.abort(reason);
    this.fail?.(reason);
  }
}

/** Lateness that nobody minds. */
const TICK_MS = 100;

export function openDeadlines(ms: number, tooLate: () => Error): Deadlines {
  let watched: Work[] = [];
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    const now = performance.now();
    for (const work of watched) if (!work.isOver) work.check(now, tooLate);
    watched = watched.filter(({ isOver }) => !isOver);
    timer = watched.length > 0 ? setTimeout(tick, TICK_MS) : undefined;
  }

  return {
    begin(isCallerGone) {
      const work = new Work(ms, isCallerGone);
      watched.push(work);
      timer ??= setTimeout(tick, TICK_MS);
      return work;
    },
  };
}
