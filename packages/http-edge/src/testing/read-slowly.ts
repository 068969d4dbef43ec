import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The bytes that somebody gets who asks for this and takes some megabytes in a second. */
export async function readSlowly(port: number, request: string): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(request.replace('Host', 'Connection: close\r\nHost'));
  let [bytes, isOver] = [0, false];
  socket.once('end', () => (isOver = true)).once('error', () => (isOver = true));
  while (!isOver) {
    await delay(20);
    const chunk = (socket.read(200 * 1024) ?? socket.read()) as Buffer | null;
    bytes += chunk?.length ?? 0;
  }
  return bytes;
}
