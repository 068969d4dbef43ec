import { once } from 'node:events';
import { type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { until } from '@pushfleet/testing';
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
    expect([heard, refused]).toEqual([MOST, ['requests-in-line']]);
  });
});
