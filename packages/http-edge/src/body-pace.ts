import { type IncomingMessage } from 'node:http';
import { Refusal } from './refusal';

export interface PaceLimits {
  /** How long a body may take before its pace counts. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

interface Watched {
  readonly startedAt: number;
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
    return this.add({ startedAt: performance.now(), bytes, giveUp });
  }

  /** Lets the rest of a body in unread for a while, so that its sender gets to read the answer, then cuts it off. */
  letFinish(req: IncomingMessage): void {
    const { socket } = req;
    this.add({
      startedAt: performance.now(),
      bytes: () => 0,
      giveUp: () => socket.destroy(),
      // A request that was answered does not close when its sender leaves in the middle of it.
      isOver: () => req.complete || socket.destroyed,
    });
  }

  private add(entry: Watched): () => void {
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

  private isTooSlow({ startedAt, bytes }: Watched, now: number): boolean {
    const { graceMs, bytesPerSecond } = this.limits;
    const countedMs = now - startedAt - graceMs;
    return countedMs > 0 && bytes() * 1000 < countedMs * bytesPerSecond;
  }
}

const tooSlow = ({ bytesPerSecond }: PaceLimits): Refusal =>
  new Refusal('too-slow', `the body arrives at less than ${bytesPerSecond} bytes a second`);
