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

/** What one body holds, from its first byte until the work with it is over, or until it is taken. */
export interface Holding {
  /** Throws when there is no room. */
  hold(bytes: number): void;
  /** It has arrived, and is not given up any more. */
  keep(): void;
  release(): void;
}

interface Entry {
  bytes: number;
  /** It may be given up: its caller still sends it, or still takes it. */
  isUnderWay: boolean;
  readonly what: 'bodies' | 'answers';
  readonly payer: Payer;
  readonly giveUp: (reason: Error) => void;
}

/**
 * Memory of all bodies, those of answers among them. What has arrived counts, and not what is announced, so that slow senders
 * take little. When all of it is used, the account that holds the most gives way with the largest body that is under way.
 */
export class BodyMemory {
  private readonly held = new Map<string, number>();
  private readonly entries = new Set<Entry>();
  private total = 0;

  constructor(private readonly limits: BodyMemoryLimits) {}

  open(payer: Payer, giveUp: (reason: Error) => void): Holding {
    return this.holding({ bytes: 0, isUnderWay: true, what: 'bodies', payer, giveUp });
  }

  /** One answer counts for no more than an address may have: it is as large as it is, and was made already. */
  openAnswer(payer: Payer, giveUp: (reason: Error) => void): Holding {
    const holding = this.holding({ bytes: 0, isUnderWay: true, what: 'answers', payer, giveUp });
    const most = this.limits.bytesPerAccount / 2;
    return { ...holding, hold: (bytes) => holding.hold(Math.min(bytes, most)) };
  }

  private holding(entry: Entry): Holding {
    return {
      hold: (bytes) => {
        if (bytes > FREE_BYTES) this.hold(entry, bytes);
      },
      keep: () => {
        entry.isUnderWay = false;
      },
      release: () => {
        if (this.entries.delete(entry)) this.count(entry, -entry.bytes);
      },
    };
  }

  private hold(entry: Entry, bytes: number): void {
    const { bytesInAll, bytesPerAccount } = this.limits;
    const { what, payer } = entry;
    const more = bytes - entry.bytes;
    if (payer.address !== undefined)
      this.requireShare(entry, bytes, { key: addressKey(payer), most: bytesPerAccount / 2, whom: 'this address' });
    this.requireShare(entry, bytes, { key: payer.account, most: bytesPerAccount, whom: 'this app' });
    this.entries.add(entry);
    this.count(entry, more);
    while (this.total > bytesInAll) if (this.dropLargest() === entry) throw tooMany(what);
  }

  /** Whoever lets a large answer lie is no reason to refuse a smaller body. */
  private requireShare({ what, bytes: held }: Entry, bytes: number, { key, most, whom }: Share): void {
    const isLarger = (other: Entry): boolean =>
      other.what === 'answers' && other.bytes > bytes && keysOf(other.payer).includes(key);
    while (this.of(key) + bytes - held > most) if (!this.dropLargest(isLarger)) throw tooManyOf(what, whom);
  }

  private dropLargest(isMeant: (entry: Entry) => boolean = () => true): Entry | undefined {
    let largest: Entry | undefined;
    for (const entry of this.entries)
      if (entry.isUnderWay && isMeant(entry) && (!largest || this.compare(entry, largest) > 0)) largest = entry;
    if (!largest) return undefined;
    this.entries.delete(largest);
    this.count(largest, -largest.bytes);
    largest.giveUp(tooMany(largest.what));
    return largest;
  }

  private compare(a: Entry, b: Entry): number {
    return this.of(a.payer.account) - this.of(b.payer.account) || a.bytes - b.bytes;
  }

  private of(key: string): number {
    return this.held.get(key) ?? 0;
  }

  private count(entry: Entry, bytes: number): void {
    entry.bytes += bytes;
    this.total += bytes;
    for (const key of keysOf(entry.payer)) {
      const left = this.of(key) + bytes;
      if (left > 0) this.held.set(key, left);
      else this.held.delete(key);
    }
  }
}

interface Share {
  readonly key: string;
  readonly most: number;
  readonly whom: string;
}

const addressKey = ({ account, address }: Payer): string => `${account} ${address}`;
const keysOf = (payer: Payer): readonly string[] =>
  payer.address === undefined ? [payer.account] : [payer.account, addressKey(payer)];

/** An answer is refused when the request is done with. */
const ADVICE = { bodies: 'try again soon.', answers: 'the request may have taken effect.' } as const;

const tooMany = (what: Entry['what']): Overload =>
  new Overload(what, `Too many large ${what} at once; ${ADVICE[what]}`);
const tooManyOf = (what: Entry['what'], whom: string): Overload =>
  new Overload(`${what}-of-account`, `Too many large ${what} of ${whom} at once; ${ADVICE[what]}`);
