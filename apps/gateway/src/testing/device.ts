import { once } from 'node:events';
import { binaryCodec, jsonCodec, type Codec, type Command } from '@pushfleet/own-protocol';
import { until } from '@pushfleet/testing';
import { WebSocket } from 'ws';

export interface ConnectOptions {
  /** Empty: none is offered. */
  readonly subprotocol?: string;
  readonly perMessageDeflate?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client as the fleet's own tests need it: everything that it hears is kept. */
export class Device {
  readonly heard: Command[] = [];
  closed: { readonly code: number; readonly reason: string } | undefined;

  private constructor(
    readonly socket: WebSocket,
    private readonly codec: Codec,
  ) {
    socket.on('message', (data: Buffer, isBinary) => this.heard.push(codec.decode(isBinary ? data : data.toString())));
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }));
    socket.on('error', () => undefined);
  }

  static async connect(
    url: string,
    { subprotocol = 'lc.protobuf2.3', perMessageDeflate = false, headers = {} }: ConnectOptions = {},
  ): Promise<Device> {
    const socket = new WebSocket(url, subprotocol === '' ? [] : [subprotocol], { perMessageDeflate, headers });
    const device = new Device(socket, subprotocol === '' ? jsonCodec : binaryCodec);
    await once(socket, 'open');
    return device;
  }

  send(command: Command): void {
    this.socket.send(this.codec.encode(command));
  }

  async login(appId: string, installationId: string, i?: number): Promise<this> {
    const before = this.count('loggedin');
    this.send({ cmd: 'login', appId, installationId, ...(i === undefined ? {} : { i }) });
    await until(() => this.count('loggedin') > before);
    return this;
  }

  /** Ids of the messages, in the order in which they arrived. */
  get ids(): readonly string[] {
    return this.heard.flatMap(({ messages = [] }) => messages.map(({ id }) => id));
  }

  async received(...ids: readonly string[]): Promise<void> {
    await until(() => ids.every((id) => this.ids.includes(id)));
  }

  ack(...ids: readonly string[]): void {
    this.send({ cmd: 'ack', ids });
  }

  count(cmd: Command['cmd']): number {
    return this.heard.filter((command) => command.cmd === cmd).length;
  }

  /** Resolves when the server has handled everything that was sent before. */
  async settled(): Promise<void> {
    const before = this.count('echo');
    this.send({ cmd: 'echo' });
    await until(() => this.count('echo') > before);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    // A server that waits for the rest of a broken frame would not answer a close.
    this.socket.terminate();
    await until(() => this.closed !== undefined);
  }
}
