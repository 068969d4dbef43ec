import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { binaryCodec, type Command } from '@pushfleet/own-protocol';
import { WebSocket } from 'ws';
import type { DemoApp, Fleet } from '../fleet';

/** Pause before a connection that was lost is opened again. */
const RECONNECT_MS = 200;

/** A device that comes back whenever it loses its connection, and acknowledges what it gets. */
export class SocketDevice {
  /** How often each message arrived. */
  readonly heard = new Map<string, number>();
  private socket: WebSocket | undefined;
  private isOver = false;

  constructor(
    private readonly fleet: Fleet,
    private readonly app: DemoApp,
    private readonly installationId: string,
  ) {}

  /** Resolves when it is logged in for the first time; keeps at it until it is closed. */
  async start(): Promise<void> {
    await this.connect();
    void this.keepConnected();
  }

  async close(): Promise<void> {
    this.isOver = true;
    const { socket } = this;
    if (!socket || socket.readyState === WebSocket.CLOSED) return;
    const closed = once(socket, 'close');
    socket.terminate();
    await closed;
  }

  private async keepConnected(): Promise<void> {
    while (!this.isOver) {
      if (this.socket?.readyState === WebSocket.OPEN) await once(this.socket, 'close');
      if (this.isOver) return;
      await delay(RECONNECT_MS * (0.5 + Math.random()));
      // An address that is not served now is asked for anew.
      await this.connect().catch(() => undefined);
    }
  }

  private async connect(): Promise<void> {
    const socket = new WebSocket(await this.address(), ['lc.protobuf2.3'], { perMessageDeflate: false });
    this.socket = socket;
    socket.on('error', () => undefined);
    const loggedIn = new Promise<void>((resolve, reject) => {
      socket.on('message', (data: Buffer) => {
        const command = binaryCodec.decode(data);
        if (command.cmd === 'loggedin') resolve();
        this.hear(command);
      });
      socket.once('close', () => reject(new Error('closed')));
    });
    socket.once('open', () => this.send({ cmd: 'login', appId: this.app.id, installationId: this.installationId }));
    await loggedIn;
  }

  private async address(): Promise<string> {
    const query = `appId=${this.app.id}&installationId=${this.installationId}&secure=1`;
    const answer = await fetch(`${this.fleet.url('ingress')}/v1/route?${query}`);
    const { server } = (await answer.json()) as { server: string };
    return server;
  }

  private hear({ messages }: Command): void {
    if (!messages) return;
    for (const { id } of messages) this.heard.set(id, (this.heard.get(id) ?? 0) + 1);
    this.send({ cmd: 'ack', installationId: this.installationId, ids: messages.map(({ id }) => id) });
  }

  private send(command: Command): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(binaryCodec.encode(command));
  }
}
