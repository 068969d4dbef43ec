import { request } from 'node:http';
import { mastersOf, startRedisServer, until, type RedisServer } from '@pushfleet/testing';
import { InvalidInput } from '@pushfleet/domain';
import { diagnose } from '@pushfleet/http-edge';
import { adminDialect } from './http/dialect';
import { ADMIN_TOKEN, consoleHarness } from './testing/console-harness';

const admin = consoleHarness();
const { call, raw } = admin;
const authorization = `Bearer ${ADMIN_TOKEN}`;

describe('401', () => {
  it.each([
    ['no header', {}],
    ['another token', { authorization: `Bearer ${ADMIN_TOKEN}x` }],
    ['the beginning of the token', { authorization: `Bearer ${ADMIN_TOKEN.slice(0, -1)}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: `Basic ${ADMIN_TOKEN}` }],
  ])('is the answer to %s, on every route', async (_name, headers) => {
    for (const path of ['/api/v1/apps', '/api/v1/nothing-here']) {
      const answer = await raw(path, { headers });
      expect(answer).toMatchObject({ status: 401, body: { code: 401, error: expect.any(String) } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('comes before the body is read', async () => {
    const answer = await raw('/api/v1/apps', { method: 'POST', body: '{' });
    expect(answer.status).toBe(401);
  });
});

describe('400', () => {
  it('tells that a body is not JSON without repeating it', async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await raw('/api/v1/apps', { method: 'POST', headers, body: '{"masterKey": top-secret' });
    expect(answer).toMatchObject({ status: 400, body: { code: 107, error: 'the body is not valid JSON' } });
  });

  it('is the answer to a path that cannot be decoded', async () => {
    const answer = await raw('/api/v1/apps/%E0%A4%A', { headers: { authorization } });
    expect(answer).toMatchObject({ status: 400, body: { code: 111 } });
  });

  it('is the answer to a missing body, with every field that it lacks', async () => {
    const { status, body } = await call('POST', '/apps');
    const missing = ['name', 'edition'].map((path) => ({ path, message: 'is required' }));
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 111, details: missing } });
  });
});

describe('404', () => {
  it.each([
    ['GET', '/user'],
    ['POST', '/channels/mi/stop'],
  ])('is the answer to %s %s, as JSON', async (method, path) => {
    const answer = await call(method, path);
    expect(answer).toMatchObject({ status: 404, body: { code: 404, error: expect.stringContaining(path) } });
  });

  it('is the answer outside of the API', async () => {
    expect(await raw('/elsewhere')).toMatchObject({ status: 404, body: { code: 404 } });
  });
});

describe('405', () => {
  it.each([
    ['PUT', '/apps', 'POST, GET'],
    ['GET', '/imports/users', 'POST'],
    ['POST', '/apps/a/profiles/mi/_default', 'GET, PUT, DELETE'],
  ])('is the answer to %s %s, with what the address takes', async (method, path, allow) => {
    const answer = await call(method, path);
    expect(answer).toMatchObject({ status: 405, body: { code: 405, error: expect.stringContaining('must be') } });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('is for those alone who have the token', async () => {
    expect((await raw('/api/v1/apps', { method: 'PUT' })).status).toBe(401);
  });
});

describe('413', () => {
  it('is the answer to a body over 1 MiB', async () => {
    const answer = await call('POST', '/apps', { name: 'x'.repeat(1024 * 1024) });
    const error = 'the body may have at most 1048576 bytes';
    expect(answer).toMatchObject({ status: 413, body: { code: 413, error } });
  });

  it('is the answer to an import over 8 MiB only', async () => {
    const importOf = (bytes: number) =>
      call('POST', '/apps/none/installations/import', { rows: Array(bytes / 1024).fill('x'.repeat(1021)) });
    expect(await importOf(2 * 1024 * 1024)).toMatchObject({ status: 404 });
    const error = 'the body may have at most 8388608 bytes';
    expect(await importOf(8 * 1024 * 1024)).toMatchObject({ status: 413, body: { error } });
  });
});

describe('415', () => {
  it('is the answer to a body that does not call itself JSON', async () => {
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await raw('/api/v1/apps', { method: 'POST', headers, body: 'name=x' });
    expect(answer).toMatchObject({ status: 415, body: { code: 415 } });
  });

  it('is the answer to a body of an unknown coding', async () => {
    const headers = { authorization, 'content-type': 'application/json', 'content-encoding': 'br' };
    const answer = await raw('/api/v1/apps', { method: 'POST', headers, body: 'xx' });
    expect(answer).toMatchObject({
      status: 415,
      body: { code: 415, error: expect.stringContaining('Content-Encoding') },
    });
  });
});

describe('what the rules of the fleet refuse', () => {
  const answerTo = (error: Error) => adminDialect.answer(diagnose(adminDialect, error) ?? { problem: '', message: '' });

  it.each([
    [new InvalidInput('invalid-query', 'where: a sub-query finds more than 1000'), 400, 111],
    [new InvalidInput('too-large', 'an installation may hold at most 65536 bytes'), 413, 413],
  ] as const)('is the fault of the caller: %s', (error, status, code) => {
    const answer = answerTo(error);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, { code, error: error.message }]);
  });
});

describe('a damaged record', () => {
  it('is named, and nothing that stands in it', async () => {
    const key = `${admin.namespace}:client:{damaged}`;
    await admin.redis.set(key, 'not what the store wrote');
    const answer = await call('GET', '/clients/damaged');
    expect(answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('client "damaged"') } });
    expect(JSON.stringify(answer.body)).not.toContain('not what the store wrote');
    await admin.redis.del(key);
  });
});

describe('500', () => {
  it('hides what went wrong', async () => {
    const key = `${admin.namespace}:client:{broken}`;
    await admin.redis.rpush(key, 'not what the store wrote');
    const answer = await call('GET', '/clients/broken');
    expect(answer).toMatchObject({ status: 500, body: { code: 1 } });
    expect(JSON.stringify(answer.body)).not.toContain('not what the store wrote');
    await admin.redis.del(key);
  });
});

describe('every answer', () => {
  it('is kept by no cache and does not name the framework', async () => {
    const { headers } = await call('GET', '/apps');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('is counted by route and status, whatever the address', async () => {
    const before = admin.counted.length;
    await call('GET', '/apps/some-app-id');
    await call('GET', '/channels');
    await call('GET', '/nothing/at/all');
    expect(admin.counted.slice(before)).toEqual(['GET /apps/:id 404', 'GET /channels 200', 'none 404']);
  });
});

describe('a request that is given up', () => {
  it('does not disturb the next one', async () => {
    const given = request(`${admin.url}/api/v1/apps`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'content-length': '100' },
    });
    given.on('error', () => undefined);
    given.write('{"name":');
    await new Promise((resolve) => given.once('socket', (socket) => socket.once('connect', resolve)));
    given.destroy();
    expect((await call('GET', '/apps')).status).toBe(200);
  });
});

describe('503', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  const away = consoleHarness({ redisUrl: () => server.url });
  afterAll(() => server.close());

  it('is the answer while Redis is away, and not after', async () => {
    await server.stop();
    const answer = await away.call('GET', '/apps');
    expect(answer).toMatchObject({ status: 503, body: { code: 503 } });
    expect(answer.headers.get('retry-after')).toBe('2');
    await server.start();
    await until(async () => (await away.call('GET', '/apps')).status === 200);
  });

  const limitMemory = (bytes: string) =>
    Promise.all(mastersOf(away.redis).map((master) => master.config('SET', 'maxmemory', bytes)));

  it('is the answer when Redis has no memory left', async () => {
    await limitMemory('1');
    const answer = await away.call('POST', '/apps', { name: 'One too many', edition: 'developer' });
    expect(answer).toMatchObject({ status: 503, body: { code: 503, error: 'Redis has no memory left' } });
    await limitMemory('0');
  });

  it('has the words of a Redis that is reached and refuses to write', async () => {
    const wantReplicas = (count: string) =>
      Promise.all(mastersOf(away.redis).map((master) => master.config('SET', 'min-replicas-to-write', count)));
    await wantReplicas('1');
    const answer = await away.call('POST', '/apps', { name: 'One too many', edition: 'developer' });
    await wantReplicas('0');
    const error = expect.stringMatching(/^Redis writes nothing: NOREPLICAS /);
    expect(answer).toMatchObject({ status: 503, body: { code: 503, error } });
  });
});

describe('whoever guesses the admin token', () => {
  const guarded = consoleHarness({ ports: { proxyHops: 1 } });
  const from = (address: string, token: string) =>
    guarded.raw('/api/v1/apps', { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address } });

  it('waits, and nobody else does', async () => {
    const statuses = [];
    for (let i = 0; i < 25; i += 1) statuses.push((await from('203.0.113.9', `guess-${i}`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    const refused = await from('203.0.113.9', ADMIN_TOKEN);
    expect(refused).toMatchObject({ status: 429, body: { code: 429 } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await from('203.0.113.10', ADMIN_TOKEN)).status).toBe(200);
  });
});
