import { setTimeout as delay } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { until } from '@pushfleet/testing';
import { jsonAnswer } from './answer';
import { type Endpoint } from './edge';
import { CallerGone } from './refusal';
import { admitNamed, closeEdges, LIMITS, openEdge } from './testing/edge-under-test';

afterEach(closeEdges);

const MIB = 1024 * 1024;

const echo: Endpoint<string> = {
  ...{ route: 'echo', maxBodyBytes: 4 * MIB, isRaw: true, admit: admitNamed },
  payerOf: (account) => ({ account }),
  handle: async ({ caller, body }) => jsonAnswer(200, { caller, bytes: body.length }),
};
const endpoints = { 'POST /echo': echo };
const KNOWN = 'POST /echo HTTP/1.1\r\nHost: x\r\nX-Name: a\r\n';
const STRANGER = 'POST /echo HTTP/1.1\r\nHost: x\r\n';
const post = (url: string, body: string, name = 'a') =>
  fetch(`${url}/echo`, { method: 'POST', body, headers: { 'x-name': name } });

describe('before the caller is known', () => {
  it('half a request ends in time, although its sender never closes', async () => {
    const edge = await openEdge({ endpoints, http: { headersTimeoutMs: 400 } });
    const clients = await Promise.all(Array.from({ length: 20 }, () => edge.send('POST /echo HTTP/1.1\r\nHo')));
    const silent = await edge.send('');
    await Promise.all([...clients, silent].map(({ ended }) => ended));
    await until(async () => (await edge.connections()) === 0, { timeoutMs: 10_000 });
    expect(clients[0]?.received()).toMatch(/^HTTP\/1.1 408 /);
  });

  it('a request without Host is refused in the words of the service', async () => {
    const edge = await openEdge({ endpoints });
    const { received, ended } = await edge.send('POST /echo HTTP/1.1\r\nX-Name: a\r\nContent-Length: 0\r\n\r\n');
    await ended;
    expect(received()).toMatch(/^HTTP\/1.1 400 [\s\S]*content-type: application\/json[\s\S]*"malformed-http"/i);
    expect(edge.refused).toEqual(['malformed-http']);
    const old = await edge.send('POST /echo HTTP/1.0\r\nX-Name: a\r\nContent-Length: 0\r\n\r\n');
    await old.ended;
    expect(old.received()).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each(['Host: x\r\nhOsT: y\r\n', 'Host: x\r\nHost: x\r\n'])('a request with %j is refused', async (lines) => {
    const edge = await openEdge({ endpoints });
    const sent = `POST /echo HTTP/1.1\r\n${lines}X-Name: a\r\nContent-Length: 0\r\n\r\n`;
    const { received, ended } = await edge.send(sent);
    await Promise.race([ended, until(() => received() !== '')]);
    expect(received()).toMatch(/^HTTP\/1.1 400 [\s\S]*"malformed-http"/i);
    expect(edge.refused).toEqual(['malformed-http']);
  });

  it('drips of a head do not buy time', async () => {
    const edge = await openEdge({ endpoints, http: { headersTimeoutMs: 400 } });
    const { socket, ended } = await edge.send('POST /echo HTTP/1.1\r\n');
    const drip = setInterval(() => socket.write('X: y\r\n'), 50);
    await ended;
    clearInterval(drip);
  });

  it('a stranger is refused without his body', async () => {
    const edge = await openEdge({ endpoints });
    const { received, ended } = await edge.send(`${STRANGER}Content-Length: ${2 * MIB}\r\n\r\nabc`);
    await ended;
    expect(received()).toMatch(/^HTTP\/1.1 401 [\s\S]*connection: close/i);
    expect(edge.refused).toEqual(['unauthorised']);
  });

  it('a body that waits for a go-ahead is asked for when the caller is known, and not before', async () => {
    const edge = await openEdge({ endpoints });
    const head = 'Expect: 100-continue\r\nContent-Length: 3\r\n\r\n';
    const stranger = await edge.send(STRANGER + head);
    await until(() => stranger.received() !== '');
    expect(stranger.received()).toMatch(/^HTTP\/1.1 401 /);
    const known = await edge.send(KNOWN + head);
    await until(() => known.received() !== '');
    expect(known.received()).toMatch(/^HTTP\/1.1 100 Continue/);
    known.socket.write('abc');
    await until(() => known.received().includes('"bytes":3'));
  });

  it('what a stranger goes on to send is let in for a while and then cut off', async () => {
    const edge = await openEdge({ endpoints, limits: { pace: { graceMs: 300, bytesPerSecond: 1024 } } });
    const { received, ended } = await edge.send(`${STRANGER}Content-Length: 1000\r\n\r\nabc`);
    await ended;
    expect(received()).toMatch(/^HTTP\/1.1 401 /);
    await until(async () => (await edge.connections()) === 0);
  });
});

describe('a compressed body', () => {
  const send = (url: string, body: Buffer, coding: string) =>
    fetch(`${url}/echo`, { method: 'POST', body, headers: { 'x-name': 'a', 'content-encoding': coding } });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
  ] as const)('by %s is what was compressed', async (coding, compress) => {
    const edge = await openEdge({ endpoints });
    for (const bytes of [0, 5, 100_000, 4 * MIB]) {
      const answer = await send(edge.url, compress(Buffer.alloc(bytes, 'abc')), coding);
      expect(await answer.json()).toEqual({ caller: 'a', bytes });
    }
  });

  it('may hold no more than one that is not, however small it arrives', async () => {
    const edge = await openEdge({ endpoints });
    const answer = await send(edge.url, gzipSync(Buffer.alloc(4 * MIB + 1)), 'gzip');
    expect(await answer.json()).toMatchObject({ problem: 'too-large' });
  });

  it('counts for its account as what comes out', async () => {
    const bodies = { bytesInAll: 64 * MIB, bytesPerAccount: 2 * MIB };
    const edge = await openEdge({ endpoints, limits: { bodies } });
    const bomb = gzipSync(Buffer.alloc(4 * MIB));
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(edge.url, bomb, 'gzip')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 503));
    const small = await send(edge.url, gzipSync(Buffer.alloc(MIB)), 'gzip');
    expect(await small.json()).toMatchObject({ bytes: MIB });
  });

  it.each([
    ['gzip', Buffer.from('{}')],
    ['gzip', gzipSync('{}').subarray(0, 15)],
    ['deflate', gzipSync('{}')],
  ])('that is not what it says to be is refused: %s', async (coding, body) => {
    const edge = await openEdge({ endpoints });
    const answer = await send(edge.url, body, coding);
    expect(await answer.json()).toMatchObject({ problem: 'malformed-json' });
  });

  it.each(['br', 'gzip, gzip', 'zstd'])('of another coding is refused: %s', async (coding) => {
    const edge = await openEdge({ endpoints });
    expect(await (await send(edge.url, gzipSync('{}'), coding)).json()).toMatchObject({
      problem: 'unsupported-encoding',
    });
  });
});

describe('a body', () => {
  const limits = { pace: { graceMs: 300, bytesPerSecond: 1000 } };

  it('that drips is given up', async () => {
    const edge = await openEdge({ endpoints, limits });
    const { received, ended, socket } = await edge.send(`${KNOWN}Content-Length: 100000\r\n\r\n`);
    const drip = setInterval(() => socket.write('x'), 50);
    await ended;
    clearInterval(drip);
    expect(received()).toMatch(/^HTTP\/1.1 408 [\s\S]*too-slow/);
    await until(async () => (await edge.connections()) === 0);
  });

  it.each([
    ['stalls', 0],
    ['drips', 50],
  ] as const)('that begins fast and then %s is given up', async (_how, everyMs) => {
    const edge = await openEdge({ endpoints, limits });
    const { received, ended, socket } = await edge.send(`${KNOWN}Content-Length: 4000000\r\n\r\n${'x'.repeat(MIB)}`);
    const drip = everyMs > 0 ? setInterval(() => socket.write('x'), everyMs) : undefined;
    await Promise.race([ended, delay(5000, undefined, { ref: false })]);
    clearInterval(drip);
    expect(received()).toMatch(/^HTTP\/1.1 408 [\s\S]*too-slow/);
    await until(async () => (await edge.connections()) === 0);
  });

  it('may take its time at the pace that is asked for, however it is cut', async () => {
    // Slow enough for a machine that holds the sender up.
    const edge = await openEdge({ endpoints, limits: { pace: { graceMs: 1000, bytesPerSecond: 20 } } });
    const { received, socket } = await edge.send(`${KNOWN}Transfer-Encoding: chunked\r\n\r\n`);
    for (let i = 0; i < 10; i += 1) {
      socket.write(`3e8\r\n${'x'.repeat(500)}`);
      await delay(150);
      socket.write(`${'x'.repeat(500)}\r\n`);
    }
    socket.write('0\r\n\r\n');
    await until(() => received() !== '');
    expect(received()).toMatch(/"bytes":10000/);
  });

  it('is whole, byte for byte, in many pieces', async () => {
    const texts: string[] = [];
    const keep: Endpoint<string> = {
      ...echo,
      handle: async ({ body }) => jsonAnswer(200, texts.push(body.toString())),
    };
    const edge = await openEdge({ endpoints: { 'POST /echo': keep } });
    const body = Array.from({ length: 60_000 }, (_, i) => String(i)).join(' ');
    const { socket } = await edge.send(`${KNOWN}Content-Length: ${body.length}\r\n\r\n`);
    for (let i = 0; i < body.length; i += 7919) {
      socket.write(body.slice(i, i + 7919));
      if (i % 3 === 0) await delay(1);
    }
    await until(() => texts.length === 1);
    expect(texts[0] === body).toBe(true);
  });

  it('over the limit is refused at once', async () => {
    const edge = await openEdge({ endpoints });
    const { received, ended } = await edge.send(`${KNOWN}Content-Length: ${5 * MIB}\r\n\r\n`);
    await ended;
    expect(received()).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('memory for bodies', () => {
  const bodies = { bytesInAll: 8 * MIB, bytesPerAccount: 4 * MIB };

  it('slow senders of announced bodies take none of it from others', async () => {
    const edge = await openEdge({ endpoints, limits: { ...LIMITS, bodies } });
    for (let i = 0; i < 20; i += 1) await edge.send(`${KNOWN}Content-Length: ${4 * MIB - 1}\r\n\r\nabc`);
    expect((await post(edge.url, 'x'.repeat(3 * MIB))).status).toBe(200);
  });

  it('an account that has used its share is refused, others are not, and all is given back', async () => {
    const edge = await openEdge({ endpoints, limits: { ...LIMITS, bodies } });
    const head = `${KNOWN}Content-Length: ${2 * MIB}\r\n\r\n`;
    const hoarders = await Promise.all(Array.from({ length: 6 }, () => edge.send(head + 'x'.repeat(MIB + MIB / 2))));
    await until(() => edge.refused.length > 0);
    expect(new Set(edge.refused)).toEqual(new Set(['bodies-of-account']));
    expect((await post(edge.url, 'x'.repeat(3 * MIB), 'other')).status).toBe(200);
    for (const { socket } of hoarders) socket.destroy();
    await until(async () => (await post(edge.url, 'x'.repeat(3 * MIB))).status === 200);
  });
});

describe('connections', () => {
  it('a new one takes the place of the one that waited longest without a request', async () => {
    const edge = await openEdge({ endpoints, http: { connections: 5, connectionsPerAddress: 0 } });
    const idle = [];
    for (let i = 0; i < 5; i += 1) idle.push(await edge.send('POST /echo'));
    const asking = await edge.send(`${KNOWN}Content-Length: 1\r\n\r\na`);
    await until(() => asking.received() !== '');
    expect(asking.received()).toMatch(/^HTTP\/1.1 200 /);
    await idle[0]?.ended;
    expect(await edge.connections()).toBeLessThanOrEqual(5);
    expect(edge.refused).toContain('connections');
  });

  it('one address has its share, and those that are served keep theirs', async () => {
    let served = 0;
    const stuck: Endpoint<string> = { ...echo, handle: () => new Promise(() => void (served += 1)) };
    const edge = await openEdge({
      endpoints: { 'POST /echo': stuck },
      http: { connectionsPerAddress: 3, isShared: () => false },
    });
    const busy = [];
    for (let i = 0; i < 3; i += 1) busy.push(await edge.send(`${KNOWN}Content-Length: 1\r\n\r\na`));
    await until(() => served === busy.length);
    const { ended } = await edge.send(KNOWN);
    await ended;
    expect(edge.refused).toEqual(['connections-of-address']);
    expect(busy.every(({ socket }) => !socket.destroyed)).toBe(true);
  });

  it('one that idles between requests is kept for later', async () => {
    const edge = await openEdge({ endpoints, http: { headersTimeoutMs: 300 } });
    const { received, socket } = await edge.send(`${KNOWN}Content-Length: 1\r\n\r\na`);
    await until(() => received() !== '');
    await delay(1500);
    socket.write(`${KNOWN}Content-Length: 2\r\n\r\nbb`);
    await until(() => received().includes('"bytes":2'));
  });
});

describe('work', () => {
  const slow = (deadlineMs: number) => {
    const reasons: unknown[] = [];
    const begun: AbortSignal[] = [];
    const endpoint: Endpoint<string> = {
      ...echo,
      deadlineMs,
      handle: ({ signal }) =>
        new Promise(() => {
          signal().addEventListener('abort', () => reasons.push(signal().reason));
          begun.push(signal());
        }),
    };
    return { reasons, begun, endpoints: { 'POST /echo': endpoint } };
  };

  it('ends at its deadline, and the caller is told', async () => {
    const { reasons, endpoints: all } = slow(200);
    const edge = await openEdge({ endpoints: all });
    expect((await post(edge.url, 'a')).status).toBe(503);
    expect(reasons).toEqual([expect.objectContaining({ shortage: 'deadline' })]);
  });

  it('ends with the connection of its caller', async () => {
    const { reasons, begun, endpoints: all } = slow(60_000);
    const edge = await openEdge({ endpoints: all });
    const { socket } = await edge.send(`${KNOWN}Content-Length: 1\r\n\r\na`);
    await until(() => begun.length > 0);
    socket.destroy();
    await until(() => reasons.length > 0);
    expect(reasons[0]).toBeInstanceOf(CallerGone);
    expect(edge.refused).toEqual(['caller-gone']);
  });
});

describe('addresses', () => {
  it('a wrong method names the right ones, an unknown address is told as such', async () => {
    const edge = await openEdge({ endpoints: { ...endpoints, 'GET /things/:id': { ...echo, route: 'thing' } } });
    const wrong = await fetch(`${edge.url}/things/1`, { method: 'DELETE' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await fetch(`${edge.url}/echo`, { method: 'OPTIONS' })).status).toBe(405);
    expect((await fetch(`${edge.url}/nowhere`)).status).toBe(404);
    expect((await fetch(`${edge.url}/things/%E0%A4`)).status).toBe(400);
  });
});
