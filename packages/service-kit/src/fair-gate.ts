export interface GateLimits {
  /** Of all accounts together. */
  readonly atOnce: number;
  readonly perAccount: number;
}

interface Waiting {
  readonly signal: AbortSignal | undefined;
  begin(): void;
  giveUp(reason: unknown): void;
}

/** Shares places for work out among accounts: they take turns, however much one of them asks for. */
export class FairGate {
  private readonly busy = new Map<string, number>();
  /** In the order of their turns. */
  private readonly queues = new Map<string, Waiting[]>();
  private total = 0;

  constructor(private readonly limits: GateLimits) {}

  /** Runs work when it is its turn; what is given up before that never begins. */
  run<T>(account: string, work: () => Promise<T>, signal?: () => AbortSignal): Promise<T> {
    if (this.hasRoom(account) && !this.queues.has(account)) return this.begin(account, work);
    return this.wait(account, signal?.()).then(() => this.holding(account, work));
  }

  /** How much of an account waits for its turn. */
  waiting(account: string): number {
    return this.queues.get(account)?.length ?? 0;
  }

  private wait(account: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const giveUp = (): void => this.forget(account, waiting);
      const begin = (): void => {
        // Thousands may wait under one signal, one after the other.
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting = { signal, begin, giveUp: reject };
      const queue = this.queues.get(account) ?? [];
      queue.push(waiting);
      this.queues.set(account, queue);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  private forget(account: string, waiting: Waiting): void {
    const queue = this.queues.get(account) ?? [];
    const at = queue.indexOf(waiting);
    if (at < 0) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.queues.delete(account);
    waiting.giveUp(waiting.signal?.reason);
  }

  private hasRoom(account: string): boolean {
    return this.total < this.limits.atOnce && (this.busy.get(account) ?? 0) < this.limits.perAccount;
  }

  private begin<T>(account: string, work: () => Promise<T>): Promise<T> {
    this.take(account);
    return this.holding(account, work);
  }

  private holding<T>(account: string, work: () => Promise<T>): Promise<T> {
    const working = work();
    const leave = (): void => this.leave(account);
    working.then(leave, leave);
    return working;
  }

  private take(account: string): void {
    this.total += 1;
    this.busy.set(account, (this.busy.get(account) ?? 0) + 1);
  }

  private leave(account: string): void {
    this.total -= 1;
    const left = (this.busy.get(account) ?? 0) - 1;
    if (left > 0) this.busy.set(account, left);
    else this.busy.delete(account);
    if (this.queues.size > 0) this.beginNext();
  }

  private beginNext(): void {
    for (const [account, queue] of this.queues) {
      if (!this.hasRoom(account)) continue;
      this.queues.delete(account);
      const next = queue.shift();
      // Behind the others: its turn is over.
      if (queue.length > 0) this.queues.set(account, queue);
      this.take(account);
      return next?.begin();
    }
  }
}
