import { defaultDelayMs, type FaultKind } from './fault-kinds';
import type { SimulatorRequest } from './simulator';

export interface FaultOrder {
  readonly channel: string;
  readonly kind: FaultKind;
  /** Part of the calls that it strikes. */
  readonly share: number;
  /** Calls that it strikes before it is over; without it, it stays. */
  readonly count?: number | undefined;
  /** Before the answer; between two bytes of `drip`; what `retry-after` asks for. */
  readonly delayMs: number;
  /** Strikes only calls whose path contains this: one app of several, where the vendor's path names the app. */
  readonly path?: string | undefined;
  /** Strikes only calls whose body contains this: one message, or one device. */
  readonly body?: string | undefined;
  /** Of the kind `answer`: what the vendor says, and nobody gets the message. */
  readonly answer?: CannedAnswer | undefined;
}

/** As a test writes it: everything that has a default may be left out. */
export type FaultWish = Pick<FaultOrder, 'channel' | 'kind'> & Partial<FaultOrder>;

export const faultOf = (wish: FaultWish): FaultOrder => ({
  ...wish,
  share: wish.share ?? 1,
  delayMs: wish.delayMs ?? defaultDelayMs(wish.kind),
});

export interface CannedAnswer {
  readonly status: number;
  readonly body: string;
}

/** What of a call decides whether a fault strikes it. */
export type StruckCall = Pick<SimulatorRequest, 'path' | 'body'>;

/** What befalls one call. */
export interface Strike {
  /** Before the answer. */
  readonly delayMs: number;
  readonly kind?: Exclude<FaultKind, 'slow' | 'late' | 'answer'>;
  /** Of `drip`: between two bytes; of `retry-after`: what the client is asked to wait. */
  readonly paceMs?: number;
  readonly answer?: CannedAnswer;
}

type Harm = Omit<Strike, 'delayMs'>;

const UNHARMED: Strike = { delayMs: 0 };
const NO_WORDS: CannedAnswer = { status: 500, body: '' };

/** Faults whose delay is not one before the answer. */
const isPaced = (kind: FaultKind): kind is 'drip' | 'retry-after' => kind === 'drip' || kind === 'retry-after';

function harmOf({ kind, delayMs, answer = NO_WORDS }: FaultOrder): Harm {
  if (kind === 'answer') return { answer };
  if (kind === 'slow' || kind === 'late') return {};
  return isPaced(kind) ? { kind, paceMs: delayMs } : { kind };
}

class Fault {
  private left: number;
  private due = 0;

  constructor(readonly order: FaultOrder) {
    this.left = order.count ?? Infinity;
  }

  /** Spreads its share evenly: a test that repeats a run meets the same calls again. */
  strikes({ path, body }: StruckCall): boolean {
    if (this.left <= 0 || !path.includes(this.order.path ?? '') || !body.includes(this.order.body ?? '')) return false;
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

  /** `slow` joins with whatever else strikes; of the rest, the first put wins. */
  strike(channel: string, call: StruckCall): Strike {
    const ofChannel = this.faults.get(channel);
    if (ofChannel === undefined) return UNHARMED;
    let delayMs = 0;
    let struck: Harm | undefined;
    for (const [kind, fault] of ofChannel) {
      if (kind !== 'slow' && struck !== undefined) continue;
      if (!fault.strikes(call)) continue;
      if (!isPaced(kind)) delayMs += fault.order.delayMs;
      if (kind !== 'slow') struck = harmOf(fault.order);
      if (fault.isOver) ofChannel.delete(kind);
    }
    if (ofChannel.size === 0) this.faults.delete(channel);
    return { delayMs, ...struck };
  }

  list(): FaultOrder[] {
    return [...this.faults.values()].flatMap((ofChannel) => [...ofChannel.values()].map((fault) => fault.read()));
  }

  /** Of one channel, or of all. */
  clear(channel?: string): void {
    if (channel === undefined) this.faults.clear();
    else this.faults.delete(channel);
  }
}
