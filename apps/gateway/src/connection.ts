import type { Duplex } from 'node:stream';
import { LARGEST_MAILBOX, LIMITS } from '@pushfleet/domain';
import { ProtocolError, type Codec, type Command } from '@pushfleet/own-protocol';
import { listenTo, type DeviceListener, type DeviceSocket } from './device-socket';
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
import type { Frame, Speaker, Turns } from './turns';

/** What a session asks for beyond its socket. */
export type OutsideEffect = Exclude<Effect, { kind: 'send' | 'close' }>;

export type EndReason =
  | 'client'
  | 'slow-reader'
  | 'refused'
  | 'idle'
  | 'login-timeout'
  | 'taken-over'
  | 'too-fast'
  | 'too-long'
  | 'fault'
  | 'leaving';

export interface ConnectionPorts {
  readonly now: () => number;
  /** Bytes that may wait for a slow reader. */
  readonly maxBufferedBytes: number;
  /** Frames, pings and pongs among them, that a device may send in a second; 0 = no limit. */
  readonly framesPerSecond: number;
  /** Bytes that a device may send in a second; 0 = no limit. */
  readonly bytesPerSecond: number;
  readonly turns: Pick<Turns, 'take' | 'forget'>;
  /** Tells the connections of this process from those of others. */
  readonly idPrefix: string;
  perform(connection: Connection, effect: OutsideEffect): void;
  onCommand(name: Command['cmd'] | 'malformed'): void;
  onSent(command: Command): void;
  onClosed(connection: Connection, reason: EndReason): void;
  /** A defect, which ends the connection that met it. */
  onFault(error: unknown): void;
}

export interface ConnectionParts {
  readonly socket: DeviceSocket;
  /** What the socket reads from. */
  readonly stream: Duplex;
  readonly codec: Codec;
  readonly ports: ConnectionPorts;
  /** Counts the connections of this process. */
  readonly number: number;
  readonly address: string;
}

/** How long one that was sent away for its manners may take to go. */
const GO_WITHIN_MS = 2000;
/** A login takes a few hundred. */
const MAX_BYTES_BEFORE_LOGIN = LIMITS.frameBytesBeforeLogin.value;
/** A frame is complete: what follows it is not a part of it. */
const COMPLETE = -1;

/** One WebSocket and the session that it carries. Its fields are what an idle device costs. */
export class Connection implements Speaker, DeviceListener {
  readonly address: string;
  private readonly socket: DeviceSocket;
  private readonly codec: Codec;
  private readonly ports: ConnectionPorts;
  private readonly number: number;
  private state: SessionState = NEW_SESSION;
  private lastHeardAt: number;
  private newSince: number;
  private endReason: EndReason = 'client';
  /** Sent away for its manners: nothing of it is read any more. */
  private isUnheard = false;
  /** Within the second that began at `countedSince`. */
  private frames = 0;
  private bytes = 0;
  private countedSince: number;
  /**
   * Messages whose acknowledgements are still to come, as many as a mailbox holds at most: it is asked for them, and a bad network
   * brings them all at once.
   */
  private owed = 0;
  /** Bytes of the frame that is not complete yet. */
  private partial = 0;

  constructor({ socket, stream, codec, ports, number, address }: ConnectionParts) {
    this.socket = socket;
    this.codec = codec;
    this.ports = ports;
    this.number = number;
    this.address = address;
    this.lastHeardAt = ports.now();
    this.newSince = this.lastHeardAt;
    this.countedSince = this.lastHeardAt;
    listenTo(this, socket, stream);
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

  /** For what waits in the mailbox: half of what may wait here, as the other half is for what is pushed meanwhile. */
  get roomBytes(): number {
    return this.ports.maxBufferedBytes / 2 - this.bufferedBytes;
  }

  /** What waits for the device. */
  get bufferedBytes(): number {
    return this.socket.bufferedAmount;
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
  hear(frame: Frame): void {
    this.note();
    if (this.isOpen) this.ports.turns.take(this, frame);
  }

  /** Whatever a device sends, it ends no more than its own connection. */
  attend(frame: Frame): void {
    if (!this.isOpen) return;
    try {
      if (this.isNew && frame.length > MAX_BYTES_BEFORE_LOGIN) return this.end(CLOSES.tooLong, 'too-long');
      const command = this.decode(frame);
      this.ports.onCommand(command?.cmd ?? 'malformed');
      if (command?.cmd === 'ack') this.settle(command);
      this.handle(command ? { kind: 'frame', command } : { kind: 'malformed' });
    } catch (error) {
      this.ports.onFault(error);
      this.end(CLOSES.fault, 'fault');
    }
  }

  hold(): void {
    this.socket.pause();
  }

  /** Also when it ended meanwhile: until the device's answer to the close is read, the socket stays. */
  release(): void {
    if (!this.isUnheard) this.socket.resume();
  }

  /** A sign of life: a frame, a ping or a pong. */
  note(): void {
    this.lastHeardAt = this.ports.now();
    this.partial = COMPLETE;
    this.countAnew(this.lastHeardAt);
    this.frames += 1;
    if (isOver(this.frames - this.owed, this.ports.framesPerSecond) && this.isOpen)
      this.sendAway(CLOSES.tooFast, 'too-fast');
  }

  /** A ping too many is not answered. */
  pinged(data: Buffer): void {
    this.note();
    if (this.hasRoom()) this.socket.pong(data, false);
  }

  /** Bytes of the device, be they frames or parts of one. */
  count(bytes: number): void {
    this.countAnew(this.ports.now());
    this.bytes += bytes;
    this.partial = this.partial === COMPLETE ? 0 : this.partial + bytes;
    if (!this.isOpen) return;
    if (isOver(this.bytes, this.ports.bytesPerSecond)) this.sendAway(CLOSES.tooFast, 'too-fast');
    else if (this.isNew && this.partial > MAX_BYTES_BEFORE_LOGIN) this.sendAway(CLOSES.tooLong, 'too-long');
  }

  /** An acknowledgement of what was sent is no frame too many. */
  private settle({ ids = [] }: Command): void {
    if (this.owed === 0) return;
    this.frames -= 1;
    this.owed = Math.max(0, this.owed - Math.max(1, ids.length));
  }

  private countAnew(now: number): void {
    if (now - this.countedSince < 1000) return;
    this.countedSince = now;
    this.frames = 0;
    this.bytes = 0;
  }

  /** The socket is gone. */
  closed(): void {
    const [state, effects] = step(this.state, { kind: 'end', close: { code: 1000, reason: '' }, isTold: false });
    this.state = state;
    for (const effect of effects) if (effect.kind === 'leave') this.perform(effect);
    this.ports.turns.forget(this);
    this.ports.onClosed(this, this.endReason);
  }

  private sendAway(close: Close, reason: EndReason): void {
    this.end(close, reason);
    this.isUnheard = true;
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

  /** Whether the device may be told something; one that reads too slowly is cut off. */
  private hasRoom(): boolean {
    const { socket, ports } = this;
    if (socket.readyState !== socket.OPEN) return false;
    const isSlow = this.bufferedBytes > ports.maxBufferedBytes;
    if (isSlow) this.dropSlow();
    return !isSlow;
  }

  dropSlow(): void {
    this.endReason = 'slow-reader';
    this.drop();
  }

  private send(command: Command): void {
    const { socket, codec, ports } = this;
    if (!this.hasRoom()) return;
    socket.send(codec.encode(command), this.isWaiting ? () => this.written() : undefined);
    this.owed = Math.min(this.owed + (command.messages?.length ?? 0), LARGEST_MAILBOX);
    ports.onSent(command);
  }

  private get isWaiting(): boolean {
    return this.state.phase === 'live' && this.state.rest === 'waiting';
  }

  private written(): void {
    if (this.isWaiting && this.roomBytes > this.ports.maxBufferedBytes / 4) this.handle({ kind: 'written' });
  }
}

const isOver = (count: number, limit: number): boolean => limit > 0 && count > limit;
