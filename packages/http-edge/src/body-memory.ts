import { Overload } from './refusal';

/** Who pays for what a request holds. */
export interface Payer {
  /** An app with one of its keys, or whoever else is known to call. */
  readonly account: string;
  /** The network address, where one account has many callers. */
  readonly address?: string | undefined;
}

export interface BodyMemoryLimits {
  readonly bytesInAll: number;
  /** Of one account; half of it from one address. */
  readonly bytesPerAccount: number;
}

/** A body of up to so many bytes is not worth the counting: connections are limited. */
export const FREE_BYTES = 16 * 1024;

/** What one body holds, from its first byte until the work with it is over. */
export interface Holding {
  /** Throws when there is no room. */
  hold(bytes: number): void;
  /** It has arrived, and is not given up any more. */
  keep(): void;
  release(): void;
}

interface Entry {
  bytes: number;
  isArriving: boolean;
  readonly payer: Payer;
  readonly giveUp: (reason: Error) => void;
}

/**
 * Memory of all bodies. What has arrived counts, and not what is announced, so that slow senders take little. When all of it
 * is used, the account that holds the most gives way with the largest body that it is still sending.
 */
export class BodyMemory {
  private readonly held = new Map<string, number>();
  private readonly entries = new Set<Entry>();
  private total = 0;

  constructor(private readonly limits: BodyMemoryLimits) {}

  open(payer: Payer, giveUp: (reason: Error) => void): Holding {
    const entry: Entry = { bytes: 0, isArriving: true, payer, giveUp };
    return {
      hold: (bytes) => {
        if (bytes > FREE_BYTES) this.hold(entry, bytes);
      },
      keep: () => {
        entry.isArriving = false;
      },
      release: () => {
        if (this.entries.delete(entry)) this.count(entry, -entry.bytes);
      },
    };
  }

  private hold(entry: Entry, bytes: number): void {
    const { bytesInAll, bytesPerAccount } = this.limits;
    const more = bytes - entry.bytes;
    const { account, address } = entry.payer;
    if (this.of(account) + more > bytesPerAccount) throw tooManyOf('this app');
    if (address !== undefined && this.of(`${account} ${address}`) + more > bytesPerAccount / 2)
      throw tooManyOf('this address');
    this.entries.add(entry);
    this.count(entry, more);
    while (this.total > bytesInAll) if (this.dropLargest() === entry) throw tooMany();
  }

  private dropLargest(): Entry | undefined {
    let largest: Entry | undefined;
    for (const entry of this.entries)
      if (entry.isArriving && (!largest || this.compare(entry, largest) > 0)) largest = entry;
    if (!largest) return undefined;
    this.entries.delete(largest);
    this.count(largest, -largest.bytes);
    largest.giveUp(tooMany());
    return largest;
  }

  private compare(a: Entry, b: Entry): number {
    return this.of(a.payer.account) - this.of(b.payer.account) || a.bytes - b.bytes;
  }

  private of(key: string): number {
    return this.held.get(key) ?? 0;
  }

  private count(entry: Entry, bytes: number): void {
    const { account, address } = entry.payer;
    entry.bytes += bytes;
    this.total += bytes;
    for (const key of address === undefined ? [account] : [account, `${account} ${address}`]) {
      const left = this.of(key) + bytes;
      if (left > 0) this.held.set(key, left);
      else this.held.delete(key);
    }
  }
}

const tooMany = (): Overload => new Overload('bodies', 'Too many large bodies at once; try again soon.');
const tooManyOf = (whom: string): Overload =>
  new Overload('bodies-of-account', `Too many large bodies of ${whom} at once; try again soon.`);
