import { once } from 'node:events';
import { connect } from 'node:net';
import { fakeClock, redisHarness, seededRandom, startRedisServer, unique, until } from '@pushfleet/testing';
import { aGrant, headerOf, openUserInfo, uriOf, type Grant, type UserInfo } from './testing/user-info-harness';

const [harness, clock] = [redisHarness(), fakeClock()];
let service: UserInfo;
let grant: Grant;

beforeAll(async () => {
  service = await openUserInfo(harness, { clock });
  grant = await aGrant(service.store);
});

/** What a socket gets for bytes that no HTTP client would send; without a patience it waits until the server closes. */
async function rawBytes(bytes: string | Buffer, patienceMs = 0): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes));
  socket.setTimeout(patienceMs, () => socket.destroy());
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  return answer;
}

describe('every answer is JSON with the time of the server', () => {
  it.each([
    ['bytes that are not HTTP', 'nonsense\r\n\r\n'],
    ['a header without end', `GET / HTTP/1.1\r\nHost: x\r\nAuthorization: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['an address without end', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['no Host header', 'GET /api/v1/user/info HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an expectation', 'GET /api/v1/user/info HTTP/1.1\r\nHost: x\r\nExpect: a miracle\r\nConnection: close\r\n\r\n'],
    ['an upgrade', 'GET /api/v1/user/info HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: close, Upgrade\r\n\r\n'],
  ])('%s', async (_name, bytes) => {
    const answer = await rawBytes(bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(head).toMatch(/^content-type: application\/json/im);
    expect(head).toMatch(/^date: /im);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: 'invalid_request', now: expect.any(Number) });
  });

  it('a body that comes with GET is ignored', async () => {
    const header = headerOf(grant, clock);
    const answer = await rawBytes(
      `GET ${uriOf(grant.clientId)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${header}\r\nContent-Length: 4\r\n` +
        `Connection: close\r\n\r\nnull`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('nothing that a caller sends is a fault of the server', () => {
  const PIECES = [
    ...[
      'MAC ',
      'mac',
      ' ',
      ',',
      '=',
      '"',
      '\\',
      '\t',
      '%',
      '%00',
      '%E0',
      '/',
      '..',
      '?',
      '&',
      '#',
      ':',
      '@',
      ';',
      '[',
      '{',
    ],
    ...[
      'id',
      'ts',
      'nonce',
      'client_id',
      '__proto__',
      'constructor',
      '0',
      '-1',
      '9'.repeat(30),
      'é',
      '\u00ff',
      'x'.repeat(300),
    ],
  ];

  it('fuzzed Authorization headers', async () => {
    const { below } = seededRandom(1);
    for (let i = 0; i < 600; i += 1) {
      const right = headerOf(grant, clock, { nonce: unique('n') });
      const at = below(right.length);
      const piece = PIECES[below(PIECES.length)] ?? '';
      const authorization = right.slice(0, at) + piece + right.slice(at + below(4));
      const { status, body } = await service.raw({ path: uriOf(grant.clientId), headers: { authorization } });
      expect({ authorization, isFine: [200, 400, 401].includes(status) }).toEqual({ authorization, isFine: true });
      expect(body['now']).toEqual(expect.any(Number));
    }
  });

  it('fuzzed addresses', async () => {
    const { below } = seededRandom(2);
    for (let i = 0; i < 600; i += 1) {
      const right = uriOf(grant.clientId);
      const at = 1 + below(right.length - 1);
      const piece = (PIECES[below(PIECES.length)] ?? '').replaceAll(/[\s\u0080-\uffff]/g, '');
      const path = right.slice(0, at) + piece + right.slice(at + below(4));
      const headers = { authorization: headerOf(grant, clock, { uri: path }) };
      const { status, body } = await service.raw({ path, headers });
      // What is left of an address before `#` or `?` may be the root, which leads to the documents.
      const isRoot = /^\/(?:$|[?#])/.test(path);
      const allowed = isRoot ? [302] : [200, 400, 401, 404];
      expect({ path, isFine: allowed.includes(status) }).toEqual({ path, isFine: true });
      if (!isRoot) expect(body['now']).toEqual(expect.any(Number));
    }
  });

  it('fuzzed bytes', async () => {
    const { below } = seededRandom(3);
    for (let i = 0; i < 150; i += 1) {
      const line = `GET ${uriOf(grant.clientId)} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headerOf(grant, clock)}\r\nConnection: close\r\n\r\n`;
      const bytes = Buffer.from(line);
      for (let n = 0; n < 3; n += 1) bytes[below(bytes.length)] = below(256);
      // A request that a changed byte left incomplete is waited for; nobody completes it.
      expect(await rawBytes(bytes, 300)).not.toMatch(/^HTTP\/1.1 5/);
    }
  });
});

describe('500 server_error', () => {
  it('is the answer while Redis is away, in time, and no longer', async () => {
    const server = await startRedisServer();
    harness.onClose(() => server.close());
    const cut = await openUserInfo(harness, { clock, redisUrl: server.url });
    const other = await aGrant(cut.store);
    expect((await cut.ask(other)).status).toBe(200);
    await server.kill();
    const startedAt = performance.now();
    const replies = await Promise.all(Array.from({ length: 50 }, () => cut.ask(other)));
    // A busy machine needs seconds for fifty; a caller who waits for Redis would wait for the deadline of 30 s.
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    for (const { status, body, headers } of replies) {
      expect({ status, body }).toMatchObject({
        status: 500,
        body: { success: false, error: 'server_error', code: 50001 },
      });
      expect(body['now']).toBe(Math.floor(clock.now() / 1000));
      expect(headers['retry-after']).toBe('1');
    }
    expect(cut.logged.length).toBeLessThan(5);
    await server.start();
    await until(async () => (await cut.ask(await aGrant(cut.store))).status === 200, { timeoutMs: 10_000 });
  });

  it('tells nothing of a defect, and logs it without secrets', async () => {
    const redis = await harness.open();
    const broken = await aGrant(service.store);
    const { id } = (await service.store.macTokens.find(broken.accessToken)) ?? { id: '' };
    const record = { id, userId: 'user', clientId: 'client', sealedKey: 'secret-value' };
    await redis.set(`${harness.namespace}:mac:{${id}}`, JSON.stringify(record));
    const { status, text } = await service.ask(broken);
    expect(status).toBe(500);
    expect(text).not.toContain('secret-value');
    const logged = service.logged.join('');
    expect(logged).toContain('a request failed');
    for (const secret of ['secret-value', broken.macKey, broken.accessToken]) expect(logged).not.toContain(secret);
  });
});

it('counts answers by outcome', async () => {
  const counting = await openUserInfo(harness, { clock });
  await counting.ask(grant);
  await counting.ask(grant, { macKey: 'wrong' });
  const text = await counting.metrics.text();
  expect(text).toContain('pushfleet_user_info_requests_total{outcome="ok",service="user-info"} 1');
  expect(text).toContain('pushfleet_user_info_requests_total{outcome="access_denied",service="user-info"} 1');
  expect(text).toContain('pushfleet_user_info_request_duration_seconds_count{service="user-info"} 2');
});
