import { type VendorMisbehaviour } from '@pushfleet/channel-kit/testing';

export const FAULT_KINDS = ['slow', 'http-5xx', 'throttled', 'token-expired', 'quota', 'garbage', 'reset'] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultOrder {
  readonly channel: string;
  readonly kind: FaultKind;
  /** Part of the calls that it strikes. */
  readonly share: number;
  /** Calls that it strikes before it is over; without it, it stays. */
  readonly count?: number | undefined;
  readonly delayMs: number;
  /** Strikes only calls whose path contains this: one app of several, where the vendor's path names the app. */
  readonly path?: string | undefined;
}

/** What befalls one call. */
export interface Strike {
  readonly delayMs: number;
  readonly kind?: VendorMisbehaviour | 'reset';
}

const UNHARMED: Strike = { delayMs: 0 };

class Fault {
  private left: number;
  private due = 0;

  constructor(readonly order: FaultOrder) {
    this.left = order.count ?? Infinity;
  }

  /** Spreads its share evenly: a test that repeats a run meets the same calls again. */
  strikes(path: string): boolean {
    if (this.left <= 0 || !path.includes(this.order.path ?? '')) return false;
    this.due += this.order.share;
    if (this.due < 1 - 1e-9) return false;
    this.due -= 1;
    this.left -= 1;
    return true;
  }

  get isOver(): boolean {
    return this.left <= 0;
  }

  read(): FaultOrder {
    return this.order.count === undefined ? this.order : { ...this.order, count: this.left };
  }
}

/** The faults in force; one per channel and kind. */
export class FaultBook {
  private readonly faults = new Map<string, Map<FaultKind, Fault>>();

  put(order: FaultOrder): void {
    const ofChannel = this.faults.get(order.channel) ?? new Map<FaultKind, Fault>();
    this.faults.set(order.channel, ofChannel.set(order.kind, new Fault(order)));
  }

  /** A delay joins with whatever else strikes; of the rest, the first put wins. */
  strike(channel: string, path: string): Strike {
    const ofChannel = this.faults.get(channel);
    if (ofChannel === undefined) return UNHARMED;
    let delayMs = 0;
    let struck: Strike['kind'];
    for (const [kind, fault] of ofChannel) {
      if (kind !== 'slow' && struck !== undefined) continue;
      if (!fault.strikes(path)) continue;
      delayMs += fault.order.delayMs;
      if (kind !== 'slow') struck = kind;
      if (fault.isOver) ofChannel.delete(kind);
    }
    if (ofChannel.size === 0) this.faults.delete(channel);
    return struck === undefined ? { delayMs } : { delayMs, kind: struck };
  }

  list(): FaultOrder[] {
    return [...this.faults.values()].flatMap((ofChannel) => [...ofChannel.values()].map((fault) => fault.read()));
  }

  clear(): void {
    this.faults.clear();
  }
}
