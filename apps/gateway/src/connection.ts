import { ProtocolError, type Codec, type Command } from '@pushfleet/own-protocol';
import type { WebSocket } from 'ws';
import { NEW_SESSION, step, type Close, type Effect, type SessionEvent, type SessionState } from './session';

/** What a session asks for beyond its socket. */
export type OutsideEffect = Exclude<Effect, { kind: 'send' | 'close' }>;

export type EndReason = 'client' | 'slow-reader' | 'refused' | 'idle' | 'login-timeout' | 'taken-over' | 'leaving';

export interface ConnectionPorts {
  readonly now: () => number;
  /** Bytes that may wait for a slow reader. */
  readonly maxBufferedBytes: number;
  perform(connection: Connection, effect: OutsideEffect): void;
  onCommand(name: Command['cmd'] | 'malformed'): void;
  onSent(command: Command): void;
  onClosed(connection: Connection, reason: EndReason): void;
}

/** One WebSocket and the session that it carries. */
export class Connection {
  private state: SessionState = NEW_SESSION;
  private lastHeardAt: number;
  private newSince: number;
  private endReason: EndReason = 'client';

  constructor(
    readonly id: string,
    readonly address: string,
    private readonly line: { readonly socket: WebSocket; readonly codec: Codec; readonly ports: ConnectionPorts },
  ) {
    const { socket, ports } = line;
    this.lastHeardAt = ports.now();
    this.newSince = this.lastHeardAt;
    socket.on('message', (data: Buffer, isBinary) => this.hear(isBinary ? data : data.toString()));
    socket.on('ping', () => this.note());
    // Every error is followed by the close.
    socket.on('error', () => undefined);
    socket.on('close', () => this.closed());
  }

  /** Whether the installation is still this connection's to serve. */
  get isOpen(): boolean {
    return this.state.phase !== 'over';
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
    if (this.isNew && !wasNew) this.newSince = this.line.ports.now();
    for (const effect of effects) this.perform(effect);
  }

  end(close: Close, reason: EndReason): void {
    if (!this.isOpen) return;
    this.endReason = reason;
    this.handle({ kind: 'end', close, isTold: reason === 'refused' });
  }

  /** Without waiting for the other side. */
  drop(): void {
    this.line.socket.terminate();
  }

  private hear(frame: Uint8Array | string): void {
    this.note();
    const command = this.decode(frame);
    this.line.ports.onCommand(command?.cmd ?? 'malformed');
    this.handle(command ? { kind: 'frame', command } : { kind: 'malformed' });
  }

  private note(): void {
    this.lastHeardAt = this.line.ports.now();
  }

  private decode(frame: Uint8Array | string): Command | undefined {
    try {
      return this.line.codec.decode(frame);
    } catch (error) {
      if (error instanceof ProtocolError) return undefined;
      throw error;
    }
  }

  private perform(effect: Effect): void {
    const { socket, ports } = this.line;
    if (effect.kind === 'send') this.send(effect.command);
    else if (effect.kind === 'close') {
      if (this.endReason === 'client') this.endReason = 'refused';
      socket.close(effect.code, effect.reason);
    } else ports.perform(this, effect);
  }

  private send(command: Command): void {
    const { socket, codec, ports } = this.line;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > ports.maxBufferedBytes) {
      this.endReason = 'slow-reader';
      return socket.terminate();
    }
    socket.send(codec.encode(command));
    ports.onSent(command);
  }

  private closed(): void {
    const [state, effects] = step(this.state, { kind: 'end', close: { code: 1000, reason: '' }, isTold: false });
    this.state = state;
    for (const effect of effects) if (effect.kind === 'leave') this.perform(effect);
    this.line.ports.onClosed(this, this.endReason);
  }
}
