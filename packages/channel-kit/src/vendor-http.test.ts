import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isChannelFault } from './fault';
import { openVendorHttp, type VendorHttp, type VendorResponse } from './vendor-http';
import { type VendorRequest } from './http-exchange';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const DEADLINE_MS = 400;

let server: Server | undefined;
let http: VendorHttp | undefined;
afterEach(async () => {
  jest.useRealTimers();
  await http?.close();
  server?.close();
});

/** A vendor that does something with each request, which is numbered over all connections and within its own. */
async function vendor(on: (socket: Socket, nth: { request: number; onSocket: number }) => void): Promise<string> {
  let requests = 0;
  server = createServer((socket) => {
    let onSocket = 0;
    socket.on('error', () => undefined);
    socket.on('data', () => on(socket, { request: (requests += 1), onSocket: (onSocket += 1) }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  http = openVendorHttp({ deadlineMs: DEADLINE_MS, connectionsPerOrigin: 1 });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** From here on timers fire when the test says so; sockets go on. */
const holdTimers = (): void =>
  void jest.useFakeTimers({
    doNotFake: [
      'performance',
      'Date',
      'nextTick',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
    ],
  });

const never = new AbortController().signal;
function ask(url: string, more: Partial<VendorRequest> = {}): Promise<VendorResponse> {
  if (!http) throw new Error('no vendor');
  return http.request({ method: 'POST', url: `${url}/send`, body: 'hello', signal: never, ...more });
}

function signal() {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { give: () => give(), given };
}

const faultOf = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isChannelFault(error) ? `${error.code} ${error.message.split(': ')[1]}` : 'no fault';
};

test('an answer is returned whatever its status', async () => {
  const url = await vendor((socket) =>
    socket.write('HTTP/1.1 503 No\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\nbusy'),
  );
  expect(await ask(url)).toEqual({ status: 503, body: 'busy', retryAfterMs: 7000, isHarmless: false });
});

describe('an answer that was not asked for as it is', () => {
  const answering = (body: Buffer, coding: string): Promise<string> =>
    vendor((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });

  test.each([
    ['gzip', gzipSync],
    ['X-GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('in %s is read', async (coding, pack) => {
    expect((await ask(await answering(pack('{"code":"ok"}'), coding))).body).toBe('{"code":"ok"}');
  });

  test('behind a byte order mark is read', async () => {
    expect((await ask(await answering(Buffer.from('\ufeff{}'), 'identity'))).body).toBe('{}');
  });

  test.each([
    ['is not what it says', Buffer.from('plain')],
    ['becomes too long', gzipSync(Buffer.alloc(5 * 1024 * 1024, 'x'))],
  ])('and %s stays as it came', async (_, body) => {
    expect(await ask(await answering(body, 'gzip'))).toMatchObject({ status: 200, body: body.toString() });
  });
});

describe('surely not taken', () => {
  test('a connection that is refused', async () => {
    const url = await vendor(() => undefined);
    server?.close();
    await once(server as Server, 'close');
    expect(await faultOf(ask(url))).toBe('unreachable ECONNREFUSED');
  });

  test('a call that is given up before it is sent', async () => {
    const url = await vendor(() => undefined);
    expect(await faultOf(ask(url, { signal: AbortSignal.abort() }))).toBe('unreachable ABORTED');
  });

  test('a call that never gets a connection', async () => {
    holdTimers();
    const arrived = signal();
    const url = await vendor(arrived.give);
    const calls = Promise.all([faultOf(ask(url)), faultOf(ask(url))]);
    await arrived.given;
    jest.advanceTimersByTime(DEADLINE_MS);
    expect(await calls).toEqual(['unknown-outcome DEADLINE', 'unreachable DEADLINE']);
  });

  test('whatever becomes of a request that reaches nobody', async () => {
    const url = await vendor((socket) => socket.destroy());
    expect(await faultOf(ask(url, { isHarmless: true }))).toMatch(/^unreachable/);
    expect(await faultOf(ask(url, { method: 'GET', body: undefined as never }))).toMatch(/^unreachable/);
  });

  test('a reset of a connection that had served before is tried once on a fresh one', async () => {
    const served: number[] = [];
    const url = await vendor((socket, { onSocket }) => {
      served.push(onSocket);
      if (onSocket === 1) socket.write(OK);
      else socket.destroy();
    });
    expect((await ask(url)).body).toBe('ok');
    expect((await ask(url)).body).toBe('ok');
    expect(served).toEqual([1, 2, 1]);
  });

  test('credentials that no header can hold, and nobody else waits for their connection', async () => {
    const url = await vendor((socket) => socket.write(OK));
    for (const authorization of ['key=a\u200bb', 'key=密钥', 'a\nb'])
      expect(await faultOf(ask(url, { headers: { authorization } }))).toBe('unreachable ODD_HEADER');
    expect((await ask(url, { headers: { authorization: 'key=right' } })).body).toBe('ok');
  });
});

test.each([
  ['7', 7000],
  [' 30 ', 30_000],
  ['999999999', 86_400_000],
  ['0', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['Wed, 21 Oct 2015 07:28:00 GMT', undefined],
  ['Wed, 21 Oct 2099 07:28:00 GMT', 86_400_000],
  ['2099', 2_099_000],
])('a vendor that asks to come back after "%s" is heard so: %s ms', async (header, ms) => {
  const url = await vendor((socket) =>
    socket.write(`HTTP/1.1 429 Wait\r\nretry-after: ${header}\r\ncontent-length: 2\r\n\r\nno`),
  );
  expect((await ask(url)).retryAfterMs).toBe(ms);
});

describe('may have been taken', () => {
  test.each([
    ['a reset of a fresh connection', (socket: Socket) => void socket.destroy(), 'unknown-outcome'],
    [
      'half an answer',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok'),
      'unknown-outcome',
    ],
    ['no HTTP', (socket: Socket) => void socket.end('hello\r\n\r\n'), 'unknown-outcome HTTPParserError'],
    [
      'an answer without end',
      (socket: Socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
        for (let i = 0; i < 6; i += 1) socket.write(chunk);
      },
      'unknown-outcome ANSWER_TOO_LONG',
    ],
  ])('%s', async (_, on, fault) => {
    holdTimers();
    const requests: number[] = [];
    const url = await vendor((socket, { request }) => {
      requests.push(request);
      on(socket);
    });
    expect(await faultOf(ask(url))).toContain(fault);
    expect(requests).toEqual([1]);
  });

  test.each([
    ['100 Continue and an answer', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'],
    ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['half a head', 'HTTP/1.1 200 O'],
  ])('%s and an end, on a connection that had served before', async (_, begun) => {
    holdTimers();
    const requests: number[] = [];
    const url = await vendor((socket, { request, onSocket }) => {
      requests.push(request);
      if (onSocket === 1) socket.write(OK);
      else socket.end(begun);
    });
    expect((await ask(url)).body).toBe('ok');
    expect(await faultOf(ask(url))).toContain('unknown-outcome');
    expect(requests).toEqual([1, 2]);
  });

  test('no answer', async () => {
    holdTimers();
    const requests: number[] = [];
    const arrived = signal();
    const url = await vendor((_, { request }) => {
      requests.push(request);
      arrived.give();
    });
    const call = faultOf(ask(url));
    await arrived.given;
    jest.advanceTimersByTime(DEADLINE_MS);
    expect(await call).toBe('unknown-outcome DEADLINE');
    expect(requests).toEqual([1]);
  });

  test('a dripping answer ends at the deadline, and its connection with it', async () => {
    holdTimers();
    let isClosed = false;
    const arrived = signal();
    const url = await vendor((socket) => {
      arrived.give();
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => {
        clearInterval(drip);
        isClosed = true;
      });
    });
    const call = faultOf(ask(url));
    await arrived.given;
    jest.advanceTimersByTime(DEADLINE_MS / 2);
    expect(await Promise.race([call, delay(60, 'still read')])).toBe('still read');
    jest.advanceTimersByTime(DEADLINE_MS / 2);
    expect(await call).toBe('unknown-outcome DEADLINE');
    for (let i = 0; i < 100 && !isClosed; i += 1) await delay(20);
    expect(isClosed).toBe(true);
  });

  test('a caller that gives up does not wait for the deadline', async () => {
    holdTimers();
    const arrived = signal();
    const url = await vendor(arrived.give);
    const given = new AbortController();
    const call = faultOf(ask(url, { signal: given.signal }));
    await arrived.given;
    given.abort();
    expect(await call).toBe('unknown-outcome ABORTED');
  });
});
