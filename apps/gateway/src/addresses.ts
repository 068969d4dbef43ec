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

/** Counts connections and paces logins by address. An address is forgotten with its last connection. */
export class Addresses {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly limits: AddressLimits,
    private readonly now: () => number,
  ) {}

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
    if (entry.connections <= 0) this.entries.delete(address);
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
    const burstMs = 1000 - 1000 / loginsPerSecond;
    const due = Math.max(entry.nextLoginAt, now - burstMs);
    const waitMs = Math.max(0, due - now);
    if (waitMs <= MOST_WAIT_MS) entry.nextLoginAt = due + 1000 / loginsPerSecond;
    return waitMs <= MOST_WAIT_MS ? waitMs : undefined;
  }
}
