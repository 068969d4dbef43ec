import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { aPushRequest, redisHarness, startRedisServer, until, type RedisServer } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from './testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

/** What a socket gets for bytes that no HTTP client would send. */
async function raw(text: string): Promise<string> {
  const socket = connect(Number(new URL(ingress.url).port), '127.0.0.1', () => socket.write(text));
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'close');
  return answer;
}

describe('200', () => {
  it('the bodies that clients send along with GET do not matter', async () => {
    const { port } = new URL(ingress.url);
    const headers = {
      ...{ 'X-LC-Id': ingress.app.id, 'X-LC-Key': ingress.app.key },
      ...{ 'Content-Type': 'application/json;charset=UTF-8', 'Content-Length': 4 },
    };
    const statuses = await Promise.all(
      ['/1.1/installations/x?', '/1.1/date?', '/1.1/notifications/abcdefghijklmn0f?'].map(
        (path) =>
          new Promise((resolve, reject) => {
            const req = request({ port, host: '127.0.0.1', path, method: 'GET', headers }, (res) => {
              res.resume();
              res.on('end', () => resolve(res.statusCode));
            });
            req.on('error', reject);
            req.end('null');
          }),
      ),
    );
    expect(statuses).toEqual([200, 200, 200]);
  });
});

describe('compression', () => {
  const get = (path: string, encoding: string) =>
    fetch(ingress.url + path, {
      headers: {
        'x-lc-id': ingress.app.id,
        'x-lc-key': `${ingress.app.masterKey},master`,
        'accept-encoding': encoding,
      },
    });

  beforeAll(async () => {
    await ingress.call('POST', '/1.1/installations', { body: { installationId: 'big', blob: 'é'.repeat(3000) } });
  });

  it.each([
    ['gzip, deflate', 'gzip'],
    ['gzip;q=0.5, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('a long body for a caller that takes %s', async (encoding, expected) => {
    const response = await get('/1.1/installations', encoding);
    expect(response.headers.get('content-encoding')).toBe(expected);
    expect(await response.json()).toMatchObject({ results: [{ installationId: 'big', blob: 'é'.repeat(3000) }] });
  });

  it('a short body is not worth it', async () => {
    expect((await get('/1.1/date', 'gzip')).headers.has('content-encoding')).toBe(false);
  });
});

describe('204', () => {
  it.each(['/1.1/push', '/1.1/classes/_Installation/x', '/nowhere'])('a preflight of %s', async (path) => {
    const response = await fetch(ingress.url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.com', 'access-control-request-headers': 'x-lc-id,x-lc-sign,x-lc-ua' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toMatch(/X-LC-UA/);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, PUT, DELETE');
  });
});

describe('no answer', () => {
  it('a caller who leaves in the middle of a body disturbs nobody', async () => {
    const head = `POST /1.1/push HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"data"`;
    const socket = connect(Number(new URL(ingress.url).port), '127.0.0.1', () => socket.end(head));
    socket.resume();
    await once(socket, 'close');
    expect((await ingress.call('POST', '/1.1/push', { body: aPushRequest() })).status).toBe(200);
    expect(await ingress.metrics.text()).not.toMatch(/requests_total\{[^}]*status="500"/);
  });
});

describe('400', () => {
  it('bytes that are not HTTP get JSON all the same', async () => {
    const answer = await raw('nonsense\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(errorBody(400, /HTTP/));
  });
});

describe('404', () => {
  it.each([
    ['GET', '/nothing'],
    ['POST', '/1.1/nothing'],
    ['GET', '/1.1/installations/a/b'],
  ])('%s %s', async (method, path) => {
    const reply = await ingress.call(method, path, method === 'POST' ? { body: {} } : {});
    expect(reply).toMatchObject({ status: 404, body: errorBody(404, /There is no/) });
  });
});

describe('405', () => {
  it.each([
    ['GET', '/1.1/push', 'POST'],
    ['PUT', '/1.1/push?x=1', 'POST'],
    ['DELETE', '/1.1/installations', 'POST, GET'],
    ['POST', '/1.1/installations/x', 'PUT, GET, DELETE'],
    ['POST', '/v1/route', 'GET'],
    ['GET', '/push/v1/callback/mi/a/_default/k', 'POST'],
  ])('%s %s', async (method, path, allow) => {
    const response = await fetch(ingress.url + path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(await response.json()).toEqual(errorBody(405, /method must be/));
  });

  it('in a batch, too, where no headers can tell', async () => {
    const body = { requests: [{ method: 'DELETE', path: '/1.1/push' }] };
    const reply = await ingress.call('POST', '/1.1/batch', { body });
    expect(reply.body).toEqual([{ error: errorBody(405, /POST/) }]);
  });
});

describe('an address without the id of an object', () => {
  it.each([
    ['GET', '/1.1/installations/'],
    ['GET', 'http://push.example.com/1.1/installations/'],
    ['GET', 'HTTP://push.example.com/1.1/classes/_Installation/?limit=1'],
    ['HEAD', '/1.1/installations/'],
  ])('%s %s', async (method, target) => {
    const { id, masterKey } = ingress.app;
    const keys = `X-LC-Id: ${id}\r\nX-LC-Key: ${masterKey},master`;
    const [head = '', body] = (
      await raw(`${method} ${target} HTTP/1.1\r\nHost: h\r\n${keys}\r\nConnection: close\r\n\r\n`)
    ).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 404 /);
    if (method === 'GET') expect(JSON.parse(body ?? '')).toEqual(errorBody(101, /without the id/));
    else expect(body).toBe('');
  });

  it('no other address is taken for one because of how it is written', async () => {
    const answer = await raw('GET http://push.example.com/1.1/date HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('404 of a class', () => {
  it.each(['/1.1/classes/Post', '/1.1/classes/Post/x'])('GET %s', async (path) => {
    const body = { code: 101, error: "Class or object doesn't exists." };
    expect(await ingress.call('GET', path)).toMatchObject({ status: 404, body });
  });
});

describe('431', () => {
  it('an address without end gets JSON all the same', async () => {
    const answer = await raw(`GET /1.1/installations?where=${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 431 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual(errorBody(413, /too long/));
  });
});

describe('500', () => {
  it('a defect tells a request id and nothing else', async () => {
    const redis = await harness.open();
    const pushId = '0'.repeat(16);
    await redis.set(`${harness.namespace}:p:{p:0}:${pushId}`, 'secret-value');
    const reply = await ingress.call('GET', `/1.1/notifications/${pushId}`);
    expect(reply).toMatchObject({ status: 500, body: errorBody(1, /^Internal error. Request [0-9a-f-]{36}\.$/) });
  });
});

describe('503', () => {
  it('an app whose record is damaged may ask again, and is told nothing of it', async () => {
    const redis = await harness.open();
    await redis.hset(`${harness.namespace}:apps`, 'broken', '{"settings":"secret-value"}');
    const reply = await ingress.call('GET', '/1.1/notifications/x', { headers: { 'x-lc-id': 'broken' } });
    expect(reply).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/^The service is not available/) },
    });
    expect(JSON.stringify(reply.body)).not.toContain('secret-value');
  });

  let server: RedisServer;
  let cut: Ingress;
  const push = () => cut.call('POST', '/1.1/push', { body: aPushRequest() });

  beforeEach(async () => {
    server = await startRedisServer();
    cut = await openIngress(harness, { redisUrl: server.url });
    expect((await push()).status).toBe(200);
  });
  afterEach(() => server.close());

  async function expectFastRefusals(): Promise<void> {
    const startedAt = performance.now();
    const replies = await Promise.all([
      ...Array.from({ length: 200 }, push),
      cut.call('POST', '/1.1/installations', { body: { installationId: 'i' } }),
      cut.call('GET', '/1.1/notifications/abcdefghijklmn0f'),
      cut.call('POST', '/push/v1/callback/mi/app/_default/key', { body: '{}' }),
    ]);
    // A busy machine needs seconds for two hundred; a caller who waits for Redis would wait for its deadline of 30 s.
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 503, body: errorBody(503, /not available/) });
      expect(reply.headers.get('retry-after')).toBe('1');
    }
  }
  const expectRecovery = () => until(async () => (await push()).status === 200, { timeoutMs: 10_000 });

  it('a Redis that is gone is told at once, and forgotten when it is back', async () => {
    await server.kill();
    await expectFastRefusals();
    await server.start();
    await expectRecovery();
  });

  it('a Redis that hangs is told in time, and forgotten when it goes on', async () => {
    server.hang();
    try {
      await expectFastRefusals();
    } finally {
      server.goOn();
    }
    await expectRecovery();
  });
});
