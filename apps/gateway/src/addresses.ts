import { LIMITS } from '@pushfleet/domain';

/** What one address may do, or one IPv6 network. */
export interface AddressLimits {
  /** 0 = no limit. */
  readonly connections: number;
  /** 0 = no limit. */
  readonly loginsPerSecond: number;
}

interface Entry {
  connections: number;
  /** When the login after those already admitted is due. */
  nextLoginAt: number;
}

const MOST_WAIT_MS = LIMITS.loginWaitMs.value;

/** Counts connections and paces logins by address. Who comes back at once finds the turns as they were. */
export class Addresses {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly limits: AddressLimits,
    private readonly now: () => number,
  ) {}

  /** Addresses that are known: those that are connected, and those whose turns are not over. */
  get size(): number {
    return this.entries.size;
  }

  /** False when the address has as many connections as it may have. */
  enter(address: string): boolean {
    const { connections } = this.limits;
    const entry = this.entries.get(address) ?? { connections: 0, nextLoginAt: -Infinity };
    if (connections > 0 && entry.connections >= connections) return false;
    entry.connections += 1;
    this.entries.set(address, entry);
    return true;
  }

  leave(address: string): void {
    const entry = this.entries.get(address);
    if (!entry) return;
    entry.connections -= 1;
    this.forget(address, entry);
  }

  /** Forgets those that left and whose turns are over by now. */
  sweep(): void {
    for (const [address, entry] of this.entries) this.forget(address, entry);
  }

  private forget(address: string, { connections, nextLoginAt }: Entry): void {
    if (connections <= 0 && nextLoginAt <= this.now() - this.burstMs) this.entries.delete(address);
  }

  /**
   * How long a login has to wait for its turn: a second's worth is free, more than that goes one by one. Undefined when too many
   * wait: those behind are not made to wait for connections that may have gone.
   */
  loginDelayMs(address: string): number | undefined {
    const { loginsPerSecond } = this.limits;
    const entry = this.entries.get(address);
    if (loginsPerSecond === 0 || !entry) return 0;
    const now = this.now();
    const due = Math.max(entry.nextLoginAt, now - this.burstMs);
    const waitMs = Math.max(0, due - now);
    if (waitMs <= MOST_WAIT_MS) entry.nextLoginAt = due + 1000 / loginsPerSecond;
    return waitMs <= MOST_WAIT_MS ? waitMs : undefined;
  }

  /** By how much a rested address may be ahead of its turns. */
  private get burstMs(): number {
    return 1000 - 1000 / this.limits.loginsPerSecond;
  }
}
