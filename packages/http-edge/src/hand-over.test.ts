import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { BodyPace } from './body-pace';
import { endOf, handOver } from './hand-over';
import { readSlowly } from './testing/read-slowly';

const MIB = 1024 * 1024;

it.each([1, 64])('the least pace is that of all that a connection holds back, be it %d MiB', async (mib) => {
  const pace = new BodyPace({ graceMs: 200, bytesPerSecond: 2 * MIB });
  const body = Buffer.alloc(24 * MIB, 'x');
  const server = createServer({ highWaterMark: mib * MIB }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reading = readSlowly((server.address() as AddressInfo).port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const to = { res, pace };
  try {
    await handOver(to, body);
    await endOf(to);
  } finally {
    res.destroy();
    server.close();
  }
  expect(await reading).toBeGreaterThan(body.length);
});
