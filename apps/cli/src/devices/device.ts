import { createHash } from 'node:crypto';
import { binaryCodec, ProtocolError, type Command } from '@pushfleet/own-protocol';
import { WebSocket } from 'ws';
import { systemCode } from '../errors';
import type { Route } from './rest';

const SUBPROTOCOL = 'lc.protobuf2.3';
const OPEN_WITHIN_MS = 10_000;
const NORMAL_CLOSE = 1000;

/** What a device tells its crowd. */
export interface DeviceEvents {
  onMessage(id: string, isNew: boolean): void;
  onAcked(ids: readonly string[]): void;
  onLive(device: Device): void;
  onLost(device: Device): void;
}

export interface DeviceIdentity {
  readonly index: number;
  readonly appId: string;
  readonly installationId: string;
  readonly isAcknowledging: boolean;
}

/** As the SDKs make theirs: 32 hexadecimal digits. */
export const installationIdOf = (prefix: string, index: number): string =>
  createHash('md5').update(`${prefix}-${index}`).digest('hex');

/** One installation that speaks as the Java SDK does: a login without a number, pings, acknowledgements. */
export class Device {
  logins = 0;
  /** Losses in a row. */
  losses = 0;
  private attempts = 0;
  private isLive = false;
  private hasPinged = false;
  private socket: WebSocket | undefined;
  private readonly seen = new Set<string>();
  private settle: ((error?: Error) => void) | undefined;

  constructor(
    readonly identity: DeviceIdentity,
    private readonly events: DeviceEvents,
  ) {}

  /** Resolves when it is logged in. */
  connect({ server, secondary }: Route, sourceAddress: (url: string) => string | undefined): Promise<void> {
    // The SDKs alternate, so that a gateway that is gone costs one attempt.
    const url = this.attempts % 2 === 0 ? server : secondary;
    this.attempts += 1;
    const localAddress = sourceAddress(url);
    const options = { perMessageDeflate: false, handshakeTimeout: OPEN_WITHIN_MS };
    const socket = new WebSocket(url, [SUBPROTOCOL], { ...options, ...(localAddress ? { localAddress } : {}) });
    this.socket = socket;
    return new Promise((resolve, reject) => {
      this.settle = (error) => (error ? reject(failureAt(url, error)) : resolve());
      socket.on('open', () => this.login());
      socket.on('message', (frame: Buffer) => this.hear(frame));
      socket.on('pong', () => (this.hasPinged = false));
      socket.on('error', (error) => this.settle?.(error));
      socket.on('close', (code) => this.lose(socket, code));
    });
  }

  /** One beat of the heart; a connection that did not answer the one before is given up. */
  ping(): void {
    if (!this.isLive) return;
    if (this.hasPinged) return this.drop();
    this.hasPinged = true;
    this.socket?.ping();
  }

  get isConnected(): boolean {
    return this.isLive;
  }

  /** As a network does it: without a farewell. */
  drop(): void {
    this.socket?.terminate();
  }

  close(): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.close(NORMAL_CLOSE);
    else this.drop();
  }

  get isClosed(): boolean {
    return !this.socket || this.socket.readyState === WebSocket.CLOSED;
  }

  private login(): void {
    const { appId, installationId } = this.identity;
    this.send({ cmd: 'login', appId, installationId });
  }

  private hear(frame: Buffer): void {
    const command = decode(frame);
    if (command?.cmd === 'loggedin') this.live();
    else if (command?.cmd === 'data') this.take(command);
  }

  private live(): void {
    if (this.isLive) return;
    this.isLive = true;
    this.hasPinged = false;
    this.losses = 0;
    this.logins += 1;
    this.events.onLive(this);
    this.settle?.();
  }

  private take({ messages = [] }: Command): void {
    const ids = messages.map(({ id }) => id);
    const fresh = ids.filter((id) => !this.seen.has(id));
    for (const id of ids) {
      this.events.onMessage(id, !this.seen.has(id));
      this.seen.add(id);
    }
    if (!this.identity.isAcknowledging) return;
    this.send({ cmd: 'ack', installationId: this.identity.installationId, ids });
    this.events.onAcked(fresh);
  }

  private lose(socket: WebSocket, code: number): void {
    if (this.socket !== socket) return;
    this.settle?.(new Error(`closed with ${code}`));
    if (!this.isLive) return;
    this.isLive = false;
    this.events.onLost(this);
  }

  private send(command: Command): void {
    this.socket?.send(binaryCodec.encode(command));
  }
}

/** Several addresses that were all tried have a code and no message. */
const failureAt = (url: string, cause: Error): Error =>
  new Error(`cannot connect to ${url} (${cause.message || (systemCode(cause) ?? cause.name)})`, { cause });

/** The SDKs pass over what they do not understand. */
function decode(frame: Buffer): Command | undefined {
  try {
    return binaryCodec.decode(frame);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}
