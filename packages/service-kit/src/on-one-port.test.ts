import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { openHttpServer, type HttpServer } from './http-server';
import { DEFAULT_HTTP_LIMITS } from './http-limits';
import { closeServer, listen } from './listen';
import { onOnePort } from './on-one-port';

const REQUESTS = 'INGRESS_PORT';
const WEB_SOCKETS = 'GATEWAY_PORT';
const CONNECTIONS = 3;

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
const LATE = 'GET /late HTTP/1.1\r\nHost: x\r\n\r\n';
const WEB_SOCKET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n';
const offering = (body: string): string =>
  'POST /push?x=%C3 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n' +
  `HTTP2-Settings: AAMA\r\nX-Name: caf\xe9\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

let front: HttpServer;
let devices: HttpServer;
let port: number;
let upgraded: Socket[];
let clients: Socket[];

beforeEach(async () => {
  [upgraded, clients] = [[], []];
  const limits = { ...DEFAULT_HTTP_LIMITS, connections: CONNECTIONS };
  const server = (answer: (req: IncomingMessage) => Promise<string>): HttpServer =>
    openHttpServer({ limits, onRefused: () => undefined }, (req, res) => {
      if (req.url !== '/late') void answer(req).then((body) => res.end(body));
    });
  front = server(async (req) => `${req.method} ${req.url} ${req.headers['x-name'] ?? ''} ${await text(req)}`);
  devices = server(() => Promise.resolve('not here'));
  devices.on('upgrade', (_req, socket: Socket) => {
    upgraded.push(socket);
    socket.on('data', (chunk) => socket.write(chunk));
    socket.write(SWITCHED);
  });
  const listenOn = onOnePort({ requests: REQUESTS, webSockets: WEB_SOCKETS }, listen);
  const host = '127.0.0.1';
  const second = listenOn(devices, { port: 0, host, variable: WEB_SOCKETS });
  const first = await listenOn(front, { port: 0, host, variable: REQUESTS });
  expect(await second).toEqual(first);
  ({ port } = first);
});

afterEach(async () => {
  for (const socket of [...clients, ...upgraded]) socket.destroy();
  if (front.listening) await closeServer(front, AbortSignal.abort());
});

async function client(sent: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  clients.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent, 'latin1');
  return socket;
}

/** Resolves when it has heard this, however many pieces that comes in. */
async function hear(socket: Socket, expected: string): Promise<void> {
  let heard = '';
  while (!heard.includes(expected)) heard += String((await once(socket, 'data'))[0]);
}

test('requests are answered by the one, and WebSockets are handed to the other', async () => {
  expect(await (await fetch(`http://127.0.0.1:${port}/docs`)).text()).toBe('GET /docs  ');
  const device = await client(WEB_SOCKET);
  await hear(device, SWITCHED);
  device.write('frame');
  await hear(device, 'frame');
});

test('WebSockets take no place from requests, and none from each other', async () => {
  for (let n = 0; n < 2 * CONNECTIONS; n += 1) await hear(await client(WEB_SOCKET), SWITCHED);
  const idle = await client(LATE);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('GET /  ');
  expect([...upgraded, idle].filter(({ destroyed }) => destroyed)).toEqual([]);
});

test('a request that offers HTTP/2 is answered as if it did not, one after the other, with its body', async () => {
  const java = await client('');
  for (const body of ['one', 'two', 'x'.repeat(12)]) {
    java.write(offering(body), 'latin1');
    await hear(java, `POST /push?x=%C3 café ${body}`);
  }
  expect(front.guard.count()).toBe(1);
});

test('an upgrade that overtakes an answer ends its connection', async () => {
  const impatient = await client(LATE + WEB_SOCKET);
  await once(impatient, 'close');
  const offered = await client(LATE + offering('one'));
  await once(offered, 'close');
  expect(upgraded).toEqual([]);
});

test('the front closes without waiting for the WebSockets', async () => {
  const device = await client(WEB_SOCKET);
  await hear(device, SWITCHED);
  await closeServer(front);
  expect(front.listening).toBe(false);
  device.write('still');
  await hear(device, 'still');
});
