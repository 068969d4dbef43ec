import { ProtocolError, type Codec, type Command } from '@pushfleet/own-protocol';
import { WebSocket } from 'ws';
import {
  CLOSES,
  NEW_SESSION,
  step,
  type Close,
  type Effect,
  type Identity,
  type SessionEvent,
  type SessionState,
} from './session';

/** What a session asks for beyond its socket. */
export type OutsideEffect = Exclude<Effect, { kind: 'send' | 'close' }>;

export type EndReason =
  'client' | 'slow-reader' | 'refused' | 'idle' | 'login-timeout' | 'taken-over' | 'too-fast' | 'leaving';

export interface ConnectionPorts {
  readonly now: () => number;
  /** Bytes that may wait for a slow reader. */
  readonly maxBufferedBytes: number;
  /** Frames and pings that a device may send in a second; 0 = no limit. */
  readonly framesPerSecond: number;
  /** Tells the connections of this process from those of others. */
  readonly idPrefix: string;
  perform(connection: Connection, effect: OutsideEffect): void;
  onCommand(name: Command['cmd'] | 'malformed'): void;
  onSent(command: Command): void;
  onClosed(connection: Connection, reason: EndReason): void;
}

/** Knows its connection, so that all sockets share their listeners: closures would be made anew for each. */
export class DeviceSocket extends WebSocket {
  connection: Connection | undefined;
}

function onMessage(this: WebSocket, data: Buffer, isBinary: boolean): void {
  (this as DeviceSocket).connection?.hear(isBinary ? data : data.toString());
}

function onPing(this: WebSocket): void {
  (this as DeviceSocket).connection?.note();
}

function onClose(this: WebSocket): void {
  (this as DeviceSocket).connection?.closed();
}

/** Every error is followed by the close. */
const onError = (): void => undefined;

export interface ConnectionParts {
  readonly socket: DeviceSocket;
  readonly codec: Codec;
  readonly ports: ConnectionPorts;
  /** Counts the connections of this process. */
  readonly number: number;
  readonly address: string;
}

/** How long one that was sent away for its manners may take to go. */
const GO_WITHIN_MS = 2000;

/** One WebSocket and the session that it carries. Its fields are what an idle device costs. */
export class Connection {
  readonly address: string;
  private readonly socket: DeviceSocket;
  private readonly codec: Codec;
  private readonly ports: ConnectionPorts;
  private readonly number: number;
  private state: SessionState = NEW_SESSION;
  private lastHeardAt: number;
  private newSince: number;
  private endReason: EndReason = 'client';
  /** Frames within the second that began at `countedSince`. */
  private frames = 0;
  private countedSince: number;

  constructor({ socket, codec, ports, number, address }: ConnectionParts) {
    this.socket = socket;
    this.codec = codec;
    this.ports = ports;
    this.number = number;
    this.address = address;
    this.lastHeardAt = ports.now();
    this.newSince = this.lastHeardAt;
    this.countedSince = this.lastHeardAt;
    socket.connection = this;
    socket.on('message', onMessage).on('ping', onPing).on('error', onError).on('close', onClose);
  }

  /** Among all connections of the fleet. */
  get id(): string {
    return `${this.ports.idPrefix}-${this.number.toString(36)}`;
  }

  /** Whether the installation is still this connection's to serve. */
  get isOpen(): boolean {
    return this.state.phase !== 'over';
  }

  /** Whether that login is the one in force: after a logout another may have taken its place. */
  isFor(identity: Identity): boolean {
    return 'identity' in this.state && this.state.identity === identity;
  }

  get isNew(): boolean {
    return this.state.phase === 'new';
  }

  silentMs(now: number): number {
    return now - this.lastHeardAt;
  }

  newMs(now: number): number {
    return this.isNew ? now - this.newSince : 0;
  }

  handle(event: SessionEvent): void {
    const wasNew = this.isNew;
    const [state, effects] = step(this.state, event);
    this.state = state;
    if (this.isNew && !wasNew) this.newSince = this.ports.now();
    for (const effect of effects) this.perform(effect);
  }

  end(close: Close, reason: EndReason): void {
    if (!this.isOpen) return;
    this.endReason = reason;
    this.handle({ kind: 'end', close, isTold: reason === 'refused' });
  }

  /** Without waiting for the other side. */
  drop(): void {
    this.socket.terminate();
  }

  /** A frame of the device. */
  hear(frame: Uint8Array | string): void {
    this.note();
    if (!this.isOpen) return;
    const command = this.decode(frame);
    this.ports.onCommand(command?.cmd ?? 'malformed');
    this.handle(command ? { kind: 'frame', command } : { kind: 'malformed' });
  }

  /** A sign of life, be it a frame or a ping. */
  note(): void {
    const now = this.ports.now();
    this.lastHeardAt = now;
    if (now - this.countedSince >= 1000) {
      this.countedSince = now;
      this.frames = 0;
    }
    this.frames += 1;
    const { framesPerSecond } = this.ports;
    if (framesPerSecond > 0 && this.frames > framesPerSecond && this.isOpen) this.sendAway();
  }

  /** The socket is gone. */
  closed(): void {
    const [state, effects] = step(this.state, { kind: 'end', close: { code: 1000, reason: '' }, isTold: false });
    this.state = state;
    for (const effect of effects) if (effect.kind === 'leave') this.perform(effect);
    this.ports.onClosed(this, this.endReason);
  }

  /** What it sends from now on is not even read. */
  private sendAway(): void {
    this.end(CLOSES.tooFast, 'too-fast');
    this.socket.pause();
    setTimeout(() => this.drop(), GO_WITHIN_MS).unref();
  }

  private decode(frame: Uint8Array | string): Command | undefined {
    try {
      return this.codec.decode(frame);
    } catch (error) {
      if (error instanceof ProtocolError) return undefined;
      throw error;
    }
  }

  private perform(effect: Effect): void {
    const { socket, ports } = this;
    if (effect.kind === 'send') this.send(effect.command);
    else if (effect.kind === 'close') {
      if (this.endReason === 'client') this.endReason = 'refused';
      socket.close(effect.code, effect.reason);
    } else ports.perform(this, effect);
  }

  private send(command: Command): void {
    const { socket, codec, ports } = this;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > ports.maxBufferedBytes) {
      this.endReason = 'slow-reader';
      return socket.terminate();
    }
    socket.send(codec.encode(command));
    ports.onSent(command);
  }
}
