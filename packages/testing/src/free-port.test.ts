import { createServer } from 'node:net';
import { once } from 'node:events';
import { freePort } from './free-port';

test('a port that somebody has is passed over, and none is given twice', async () => {
  const first = await freePort();
  const server = createServer().listen(first + 1, '127.0.0.1');
  await once(server, 'listening');
  const others = await Promise.all([freePort(), freePort(), freePort()]);
  server.close();
  expect(new Set([first, first + 1, ...others]).size).toBe(5);
});
