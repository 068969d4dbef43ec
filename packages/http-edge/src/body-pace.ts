import { type IncomingMessage } from 'node:http';
import { Refusal } from './refusal';

export interface PaceLimits {
  /** How long a body may stay behind its pace: at its beginning, and whenever it stalls. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

interface Watched {
  /** What has come was fast enough up to then. */
  paidUntil: number;
  /** Bytes that are paid for. */
  seen: number;
  readonly bytes: () => number;
  readonly giveUp: (reason: Error) => void;
  /** Absent where the watch is left by hand. */
  readonly isOver?: () => boolean;
}

const TICK_MS = 250;

/** Ends bodies that arrive too slowly to be meant. */
export class BodyPace {
  private readonly watched = new Set<Watched>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: PaceLimits) {}

  /** Watches a body until what it returns is called. */
  watch(bytes: () => number, giveUp: (reason: Error) => void): () => void {
    return this.add({ bytes, giveUp });
  }

  /** Lets the rest of a body in unread for a while, so that its sender gets to read the answer, then cuts it off. */
  letFinish(req: IncomingMessage): void {
    const { socket } = req;
    this.add({
      bytes: () => 0,
      giveUp: () => socket.destroy(),
      // A request that was answered does not close when its sender leaves in the middle of it.
      isOver: () => req.complete || socket.destroyed,
    });
  }

  private add(watch: Omit<Watched, 'paidUntil' | 'seen'>): () => void {
    const { graceMs } = this.limits;
    const seen = watch.bytes();
    const entry = { ...watch, seen, paidUntil: performance.now() + graceMs + this.msFor(seen) };
    this.watched.add(entry);
    this.timer ??= setTimeout(() => this.tick(), TICK_MS);
    return () => this.watched.delete(entry);
  }

  private tick(): void {
    const now = performance.now();
    for (const entry of this.watched) {
      if (entry.isOver?.()) this.watched.delete(entry);
      else if (this.isTooSlow(entry, now)) entry.giveUp(tooSlow(this.limits));
    }
    this.timer = this.watched.size > 0 ? setTimeout(() => this.tick(), TICK_MS) : undefined;
  }

  /** Whoever was fast at first may not be slow for long afterwards: what came pays for the grace at most. */
  private isTooSlow(entry: Watched, now: number): boolean {
    const fresh = entry.bytes() - entry.seen;
    if (fresh > 0) {
      entry.seen += fresh;
      entry.paidUntil = Math.min(now + this.limits.graceMs, entry.paidUntil + this.msFor(fresh));
    }
    return now > entry.paidUntil;
  }

  private msFor(bytes: number): number {
    return (bytes * 1000) / this.limits.bytesPerSecond;
  }
}

const tooSlow = ({ bytesPerSecond }: PaceLimits): Refusal =>
  new Refusal('too-slow', `the body arrives at less than ${bytesPerSecond} bytes a second`);
