import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';

/** Who is told what a device sends. */
export interface DeviceListener {
  hear(frame: Buffer | string): void;
  /** It wants the same bytes back. */
  pinged(data: Buffer): void;
  /** It answered a ping. */
  note(): void;
  /** Bytes as they came, frames around them included. */
  count(bytes: number): void;
  closed(): void;
}

/** The bytes below a WebSocket; knows its connection as that does. */
type DeviceStream = Duplex & { connection?: DeviceListener };

/** Knows its connection, so that all sockets share their listeners: closures would be made anew for each. */
export class DeviceSocket extends WebSocket {
  connection: DeviceListener | undefined;
}

/** Tells the connection what its device sends, and of its end. */
export function listenTo(connection: DeviceListener, socket: DeviceSocket, stream: DeviceStream): void {
  socket.connection = connection;
  socket.on('message', onMessage).on('ping', onPing).on('pong', onPong).on('error', onError).on('close', onClose);
  stream.connection = connection;
  stream.on('data', onBytes);
}

function onMessage(this: WebSocket, data: Buffer, isBinary: boolean): void {
  (this as DeviceSocket).connection?.hear(isBinary ? data : data.toString());
}

function onPing(this: WebSocket, data: Buffer): void {
  (this as DeviceSocket).connection?.pinged(data);
}

function onPong(this: WebSocket): void {
  (this as DeviceSocket).connection?.note();
}

/** The WebSocket took its frames out of it before. */
function onBytes(this: DeviceStream, chunk: Buffer): void {
  this.connection?.count(chunk.length);
}

function onClose(this: WebSocket): void {
  (this as DeviceSocket).connection?.closed();
}

/** Every error is followed by the close. */
const onError = (): void => undefined;
