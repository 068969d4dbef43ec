import { once } from 'node:events';
import { WebSocket } from 'ws';
import { timed } from './benchmark';
import type { CrowdCount, CrowdOrder } from './socket-crowd';

const AT_ONCE = 50;
const TELL_EVERY_MS = 20;

let frames = 0;

async function open({ url, size, localAddress }: CrowdOrder): Promise<void> {
  await timed(size, AT_ONCE, async () => {
    const socket = new WebSocket(url, { perMessageDeflate: false, localAddress });
    await once(socket, 'open');
    socket.send('hello');
    await once(socket, 'message');
    socket.on('message', (frame: Buffer) => {
      frames += 1;
      socket.send(frame.subarray(0, 16));
    });
  });
}

/** The process that gave the order may have left; then this one leaves, too. */
const tell = (count: CrowdCount): void => void process.send?.(count, (error) => error && process.exit(0));

process.on('message', (order: CrowdOrder) => {
  void open(order).then(() => {
    tell({ isOpen: true, frames });
    setInterval(() => tell({ isOpen: true, frames }), TELL_EVERY_MS);
  });
});
process.on('disconnect', () => process.exit(0));
