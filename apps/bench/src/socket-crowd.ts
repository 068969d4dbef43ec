import { once } from 'node:events';
import { until } from '@pushfleet/testing';
import { WebSocket } from 'ws';
import { timed } from './benchmark';

const AT_ONCE = 200;

export interface CrowdOptions {
  readonly url: string;
  readonly subprotocol?: string;
  readonly size: number;
  /** What each sends first; its answer is waited for. */
  readonly greeting: (index: number) => Uint8Array;
  readonly onFrame?: (socket: WebSocket, frame: Buffer) => void;
}

/** Many open WebSockets that count what they get. */
export class SocketCrowd {
  frames = 0;
  private readonly sockets: WebSocket[] = [];

  private constructor(private readonly options: CrowdOptions) {}

  static async open(options: CrowdOptions): Promise<SocketCrowd> {
    const crowd = new SocketCrowd(options);
    await timed(options.size, AT_ONCE, (index) => crowd.add(index));
    return crowd;
  }

  /** Resolves when each has got one more frame. */
  async oneFrameEach(trigger: () => Promise<unknown>): Promise<number> {
    const wanted = this.frames + this.sockets.length;
    const startedAt = performance.now();
    await trigger();
    await until(() => this.frames >= wanted, { timeoutMs: 120_000, everyMs: 1 });
    return (performance.now() - startedAt) / 1000;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.terminate();
    await until(() => this.sockets.every(({ readyState }) => readyState === WebSocket.CLOSED));
  }

  private async add(index: number): Promise<void> {
    const { url, subprotocol, greeting, onFrame } = this.options;
    const clientOptions = { perMessageDeflate: false };
    const socket = new WebSocket(url, subprotocol === undefined ? [] : [subprotocol], clientOptions);
    await once(socket, 'open');
    socket.send(greeting(index));
    await once(socket, 'message');
    socket.on('message', (frame: Buffer) => {
      this.frames += 1;
      onFrame?.(socket, frame);
    });
    this.sockets.push(socket);
  }
}
