import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { until } from '@pushfleet/testing';

/** What a process with connections is told to hold. */
export interface CrowdOrder {
  readonly url: string;
  readonly size: number;
  /** Of this machine; one address has not enough ports for all. */
  readonly localAddress: string;
}

/** What it tells. */
export interface CrowdCount {
  readonly isOpen: boolean;
  /** Frames since it was open. */
  readonly frames: number;
}

/** As many as a process with devices of `pushfleet devices` has. */
const PER_PROCESS = 4000;
const OPEN_WITHIN_MS = 120_000;

/** Many bare WebSockets in processes of their own: each greets, and answers every frame with its beginning. */
export class SocketCrowd {
  private constructor(
    private readonly children: readonly ChildProcess[],
    private readonly counts: readonly CrowdCount[],
    private readonly size: number,
  ) {}

  static async open(url: string, size: number): Promise<SocketCrowd> {
    const processes = Math.ceil(size / PER_PROCESS);
    const counts: CrowdCount[] = [];
    const children = Array.from({ length: processes }, (_, n) => {
      const child = fork(join(__dirname, 'socket-crowd-process.js'));
      const order = { url, size: shareOf(size, processes, n), localAddress: `127.0.0.${2 + n}` };
      child.on('message', (count: CrowdCount) => (counts[n] = count));
      child.send(order satisfies CrowdOrder);
      return child;
    });
    await until(() => children.every((_, n) => counts[n]?.isOpen), { timeoutMs: OPEN_WITHIN_MS });
    return new SocketCrowd(children, counts, size);
  }

  /** Resolves with the seconds until each has got one more frame. */
  async oneFrameEach(trigger: () => void): Promise<number> {
    const wanted = this.frames + this.size;
    const startedAt = performance.now();
    trigger();
    await until(() => this.frames >= wanted, { timeoutMs: OPEN_WITHIN_MS, everyMs: 1 });
    return (performance.now() - startedAt) / 1000;
  }

  async close(): Promise<void> {
    const gone = this.children.map((child) => once(child, 'exit'));
    for (const child of this.children) child.disconnect();
    await Promise.all(gone);
  }

  private get frames(): number {
    return this.counts.reduce((sum, { frames }) => sum + frames, 0);
  }
}

const shareOf = (size: number, processes: number, n: number): number =>
  Math.floor((size * (n + 1)) / processes) - Math.floor((size * n) / processes);
