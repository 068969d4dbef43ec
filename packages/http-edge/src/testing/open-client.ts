import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Client {
  readonly socket: Socket;
  received(): string;
  /** Resolves when the server has closed its side. */
  readonly ended: Promise<unknown>;
}

/** A connection that has sent this, and closes by itself never. */
export async function openClient(port: number, text: string): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  // Resets are expected here, and are an end like any other: the server may cut off what it refuses.
  const ended = new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) socket.once(event, resolve);
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return { socket, received: () => received, ended };
}
