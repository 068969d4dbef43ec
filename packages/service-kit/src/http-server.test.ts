import { once } from 'node:events';
import { type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { until } from '@pushfleet/testing';
import { collectGarbage } from '@pushfleet/testing/fuzz';
import { DEFAULT_HTTP_LIMITS } from './http-limits';
import { openHttpServer, type HttpServer } from './http-server';
import { listen } from './listen';

const REQUEST = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
const { requestsInLine: MOST } = DEFAULT_HTTP_LIMITS;

let server: HttpServer;
const refused: string[] = [];

afterEach(() => {
  refused.length = 0;
  server.closeAllConnections();
  server.close();
});

async function opened(listener: RequestListener): Promise<() => Socket> {
  server = openHttpServer({ limits: DEFAULT_HTTP_LIMITS, onRefused: (reason) => refused.push(reason) }, listener);
  const { port } = await listen(server, { port: 0, host: '127.0.0.1', variable: 'PORT' });
  return () => connect(port, '127.0.0.1').on('error', () => undefined);
}

describe('requests that are sent behind each other', () => {
  test('are answered, as many as may stand in line', async () => {
    const open = await opened((_req, res) => void setImmediate(() => res.end('.')));
    const socket = open();
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
    for (let round = 1; round <= 3; round += 1) {
      socket.write(REQUEST.repeat(MOST));
      await until(() => received.split('HTTP/1.1 200').length - 1 === round * MOST);
    }
    socket.destroy();
    expect(refused).toEqual([]);
  });

  test.each([
    ['answered at once', (res: { end(): unknown }) => void res.end()],
    ['never answered', () => undefined],
  ])('end their connection when they are more, and the rest is no work for anybody (%s)', async (_, answer) => {
    let heard = 0;
    const open = await opened((_req, res) => {
      heard += 1;
      answer(res);
    });
    const socket = open().resume();
    socket.write(REQUEST.repeat(20 * MOST));
    await once(socket, 'close');
    expect([heard, refused]).toEqual([1, ['requests-in-line']]);
  });

  test('are heard one after the other, in their order', async () => {
    const [heard, atWork] = [[] as (string | undefined)[], { now: 0, most: 0 }];
    const open = await opened((req, res) => {
      heard.push(req.url);
      atWork.now += 1;
      atWork.most = Math.max(atWork.most, atWork.now);
      setImmediate(() => {
        atWork.now -= 1;
        res.end('.');
      });
    });
    const paths = Array.from({ length: MOST }, (_, i) => `/${i}`);
    const sockets = [open(), open()].map((socket) => socket.resume());
    sockets[0]?.write(paths.map((path) => REQUEST.replace('/', path)).join(''));
    await until(() => heard.length === MOST);
    expect([heard, atWork.most]).toEqual([paths, 1]);
    sockets[1]?.write(REQUEST);
    await until(() => heard.length === MOST + 1);
    sockets.forEach((socket) => socket.destroy());
  });

  test('are no work for anybody once their connection is gone', async () => {
    const answers: (() => void)[] = [];
    const open = await opened((_req, res) => void answers.push(() => res.end()));
    const socket = open();
    socket.write(REQUEST.repeat(3));
    await until(() => answers.length === 1);
    socket.destroy();
    await until(() => server.guard.count() === 0);
    answers[0]?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(answers).toHaveLength(1);
  });
});

test('a connection that waits for its next request keeps nothing of the last one', async () => {
  const answered: WeakRef<object>[] = [];
  const open = await opened((req, res) => {
    answered.push(new WeakRef(req));
    setImmediate(() => res.end('.'));
  });
  const socket = open().resume();
  socket.write(REQUEST.repeat(3));
  await until(() => answered.length === 3);
  await until(() => {
    collectGarbage();
    return answered.every((request) => request.deref() === undefined);
  });
  expect(server.guard.count()).toBe(1);
  socket.destroy();
});
