import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { until } from '@pushfleet/testing';
import { guardConnections } from './guard-connections';
import { listen } from './listen';

const servers = new Set<{ close(): unknown }>();
afterEach(() => {
  servers.forEach((one) => one.close());
  servers.clear();
});

async function guarded(limits: { connections?: number; connectionsPerAddress?: number }, listener?: RequestListener) {
  const server = createServer(listener);
  const bounds = { connections: 0, connectionsPerAddress: 0, isShared: () => false, ...limits };
  const guard = guardConnections(server, bounds, () => undefined);
  const { url } = await listen(server, { port: 0, host: '127.0.0.1', variable: 'PORT' });
  servers.add({ close: () => (server.closeAllConnections(), server.close()) });
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => accepted.push(socket));
  const open = async (): Promise<Socket> => {
    const before = accepted.length;
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    await until(() => accepted.length > before);
    return socket;
  };
  return { guard, open, accepted, living: () => accepted.filter((socket) => !socket.destroyed).length };
}

test('an address has no more connections than it may, also after some of them were let go', async () => {
  const { guard, open, accepted, living } = await guarded({ connectionsPerAddress: 3 });
  const first = await open();
  guard.letGo(accepted[0] as Socket);
  const second = await open();
  second.destroy();
  await until(() => guard.count() === 0);
  await Promise.all([await open(), await open(), await open()]);
  first.destroy();
  await until(() => living() === 3);
  await Promise.all([await open(), await open(), await open()]);
  await until(() => guard.count() === 3 && living() === 3);
});

test('a connection is at work while any of the requests is answered that came one behind another', async () => {
  const answers: ServerResponse[] = [];
  const { guard, open, accepted, living } = await guarded({ connections: 1 }, (_req, res) => void answers.push(res));
  const socket = await open();
  socket.write('GET /1 HTTP/1.1\r\nhost: a\r\n\r\nGET /2 HTTP/1.1\r\nhost: a\r\n\r\n');
  await until(() => answers.length === 2);
  answers[0]?.end('one');
  await new Promise((resolve) => answers[0]?.once('close', resolve));
  expect(guard.isAnswering(accepted[0] as Socket)).toBe(true);
  await open();
  await until(() => living() === 1);
  expect(accepted[0]?.destroyed).toBe(false);
  answers[1]?.end('two');
  await until(() => !guard.isAnswering(accepted[0] as Socket));
});
