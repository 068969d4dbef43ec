/** What a command is; `other` stands for all that push does not use. */
export type CommandName =
  'session' | 'ack' | 'error' | 'login' | 'data' | 'echo' | 'loggedin' | 'logout' | 'loggedout' | 'other';

/** One message on its way to a device. */
export interface DataMessage {
  /** What the device acknowledges, and tells duplicates by. */
  readonly id: string;
  /** The text of a JSON object. */
  readonly text: string;
}

/** One frame in either direction. An absent field was absent on the wire. */
export interface Command {
  readonly cmd: CommandName;
  readonly appId?: string;
  readonly installationId?: string;
  /** The chat client that a chat command is for. */
  readonly peerId?: string;
  /** Of a request; its reply repeats it. */
  readonly i?: number;
  /** 0 is push, 1 live query. */
  readonly service?: number;
  /** Of `data`. */
  readonly messages?: readonly DataMessage[];
  /** Of `ack`. */
  readonly ids?: readonly string[];
  /** Of `error`. */
  readonly error?: { readonly code: number; readonly reason: string };
}

/** A frame is not a command of this protocol. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

export interface Codec {
  encode(command: Command): Uint8Array | string;
  /** Throws `ProtocolError`. */
  decode(frame: Uint8Array | string): Command;
}
