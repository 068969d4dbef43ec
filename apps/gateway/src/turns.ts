/** A connection as far as taking turns concerns it. */
export interface Speaker {
  /** Who answers for it: connections of one address share one turn. */
  readonly address: string;
  attend(frame: Frame): void;
  /** Reads nothing more. */
  hold(): void;
  /** Reads on. */
  release(): void;
}

export type Frame = Uint8Array | string;

/** Time for frames in one round of the event loop; what else is due then has its turn. */
const SLICE_MS = 4;

export interface TurnPorts {
  /** In milliseconds, monotonic. */
  readonly now: () => number;
  /** Calls back when the loop has been around once. */
  readonly soon: (work: () => void) => void;
  onWait(): void;
}

/**
 * Attends to frames as they come, while there is time. When there is none, addresses take turns with one frame each, and so
 * do the connections of an address; whoever waits is not read from, so that nobody's frames pile up.
 */
export class Turns {
  private readonly waiting = new Map<string, Map<Speaker, Frame[]>>();
  private spentMs = 0;
  private isRoundDue = false;

  constructor(private readonly ports: TurnPorts) {}

  take(speaker: Speaker, frame: Frame): void {
    if (this.waiting.size === 0 && this.spentMs < SLICE_MS) this.attend(speaker, frame);
    else this.queue(speaker, frame);
    this.dueRound();
  }

  /** What a connection that is gone still had to say is not heard. */
  forget(speaker: Speaker): void {
    const ofAddress = this.waiting.get(speaker.address);
    if (!ofAddress?.delete(speaker)) return;
    if (ofAddress.size === 0) this.waiting.delete(speaker.address);
  }

  private queue(speaker: Speaker, frame: Frame): void {
    this.ports.onWait();
    const ofAddress = this.waiting.get(speaker.address) ?? new Map<Speaker, Frame[]>();
    const frames = ofAddress.get(speaker);
    if (frames) return void frames.push(frame);
    speaker.hold();
    this.waiting.set(speaker.address, ofAddress.set(speaker, [frame]));
  }

  private dueRound(): void {
    if (this.isRoundDue) return;
    this.isRoundDue = true;
    this.ports.soon(() => this.round());
  }

  private round(): void {
    this.isRoundDue = false;
    this.spentMs = 0;
    while (this.spentMs < SLICE_MS && this.waiting.size > 0) this.next();
    if (this.waiting.size > 0) this.dueRound();
  }

  /** One frame of the address and of the connection that have waited longest; both then wait behind the others. */
  private next(): void {
    const [address, ofAddress] = firstOf(this.waiting);
    const [speaker, frames] = firstOf(ofAddress);
    this.waiting.delete(address);
    ofAddress.delete(speaker);
    const frame = frames.shift();
    if (frames.length > 0) ofAddress.set(speaker, frames);
    if (ofAddress.size > 0) this.waiting.set(address, ofAddress);
    if (frame !== undefined) this.attend(speaker, frame);
    if (frames.length === 0) speaker.release();
  }

  private attend(speaker: Speaker, frame: Frame): void {
    const startedAt = this.ports.now();
    speaker.attend(frame);
    this.spentMs += this.ports.now() - startedAt;
  }
}

function firstOf<K, V>(map: ReadonlyMap<K, V>): readonly [K, V] {
  for (const entry of map) return entry;
  throw new RangeError('nobody waits');
}
