import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { closeServer, listen } from '@pushfleet/service-kit';
import { BodyPace } from './body-pace';
import { openClient } from './testing/open-client';

/** Counted by themselves: those of sockets are not among them. */
beforeAll(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setInterval'] }));
afterAll(() => jest.useRealTimers());

const TICK_MS = 250;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc';

describe('the rest of a body that was answered already', () => {
  it('is not waited for when its sender has left', async () => {
    const pace = new BodyPace({ graceMs: 10_000, bytesPerSecond: 1024 });
    const gone: Promise<unknown>[] = [];
    const server = createServer((req: IncomingMessage, res) => {
      gone.push(new Promise((resolve) => req.socket.once('close', resolve)));
      res.end('no');
      pace.letFinish(req);
    });
    const { port } = await listen(server, { port: 0, host: '127.0.0.1', variable: 'PORT' });
    const { socket } = await openClient(port, HEAD);
    await once(socket, 'data');
    jest.advanceTimersByTime(TICK_MS);
    expect(jest.getTimerCount()).toBe(1);
    socket.destroy();
    await Promise.all(gone);
    jest.advanceTimersByTime(TICK_MS);
    expect(jest.getTimerCount()).toBe(0);
    await closeServer(server);
  });
});
