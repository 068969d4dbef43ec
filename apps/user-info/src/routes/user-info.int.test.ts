import { openMacClient } from '@pushfleet/mac-auth';
import { fakeClock, mastersOf, redisHarness, unique } from '@pushfleet/testing';
import { PROBLEMS, type ErrorCode } from '../http/problem';
import {
  aGrant,
  headerOf,
  openUserInfo,
  PUBLIC_HOST,
  uriOf,
  type Grant,
  type HarnessOptions,
  type Reply,
  type UserInfo,
} from '../testing/user-info-harness';

const harness = redisHarness();
const clock = fakeClock();
let service: UserInfo;
let replica: UserInfo;
let grant: Grant;

beforeAll(async () => {
  service = await openUserInfo(harness, { clock });
  replica = await openUserInfo(harness, { clock });
  grant = await aGrant(service.store);
});

/** Keys of this file, on whatever node. */
async function keysOf(kind: 'nonce' | 'failures'): Promise<readonly string[]> {
  const nodes = mastersOf(await harness.open());
  return (await Promise.all(nodes.map((node) => node.keys(`${harness.namespace}:${kind}:*`)))).flat();
}

/** That a reply is this error in both shapes, with everything that a caller needs. */
function expectError(reply: Reply, error: ErrorCode, status: number = PROBLEMS[error].status): void {
  const { code } = PROBLEMS[error];
  const data = { code, msg: expect.any(String), error, error_description: expect.any(String) };
  const now = Math.floor(clock.now() / 1000);
  expect({ status: reply.status, body: reply.body }).toEqual({ status, body: { success: false, data, now, ...data } });
  expect(reply.body['data']).toMatchObject({ error_description: reply.body['error_description'] });
  expect(reply.headers['www-authenticate']).toBe(status === 401 ? 'MAC' : undefined);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/json;charset=utf-8',
    'cache-control': 'no-store',
    date: expect.stringMatching(/GMT$/),
  });
}

describe('200', () => {
  it('tells the user in the envelope and at the top', async () => {
    const { status, body, headers } = await service.ask(grant);
    const now = Math.floor(clock.now() / 1000);
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: grant.user, now, ...grant.user } });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', date: expect.stringMatching(/GMT$/) });
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it.each([
    { name: '', avatar: '', gender: 0, is_guest: true },
    { name: '😀 "quoted" \\', avatar: 'https://例.example/図.png', gender: 2, is_guest: false },
  ] as const)('for a user with %j', async (profile) => {
    const other = await aGrant(service.store, { user: { user_id: unique('user'), ...profile } });
    expect((await service.ask(other)).body['data']).toEqual(other.user);
  });

  it('to a token whose algorithm is hmac-sha-256', async () => {
    expect((await service.ask(await aGrant(service.store, { macAlgorithm: 'hmac-sha-256' }))).status).toBe(200);
  });

  it('to a caller who uses the key id', async () => {
    const kid = unique('kid');
    const { user, ...token } = grant;
    await service.store.macTokens.add({ ...token, kid, userId: user.user_id });
    expect((await service.ask(grant, { id: kid })).status).toBe(200);
  });

  it.each([
    ['further parameters', (clientId: string) => `${uriOf(clientId)}&lang=zh%20CN&a=%2f`],
    ['client_id last', (clientId: string) => `/api/v1/user/info?a=1&client_id=${clientId}`],
    ['a slash at the end', (clientId: string) => `/api/v1/user/info/?client_id=${clientId}`],
  ])('to an address with %s', async (_name, uri) => {
    expect((await service.ask(grant, { uri: uri(grant.clientId) })).status).toBe(200);
  });

  it.each(['"AAAA+/=="', '"abcde"', '"3735928559"', '"abcdef"'])('to the nonce %s', async (nonce) => {
    const other = await aGrant(service.store);
    expect((await service.ask(other, { nonce: nonce.slice(1, -1) })).status).toBe(200);
  });

  it('to the same nonce at another second, and with another token', async () => {
    const nonce = unique('n');
    const second = String(Math.floor(clock.now() / 1000) + 1);
    expect((await service.ask(grant, { nonce })).status).toBe(200);
    expect((await service.ask(grant, { nonce, ts: second })).status).toBe(200);
    expect((await service.ask(await aGrant(service.store), { nonce })).status).toBe(200);
  });

  it.each([-300, 300])('to a clock that is wrong by %d s', async (seconds) => {
    const ts = String(Math.floor(clock.now() / 1000) + seconds);
    expect((await service.ask(grant, { ts })).status).toBe(200);
  });

  it('whatever the Host header says', async () => {
    const headers = { authorization: headerOf(grant, clock), host: 'evil.example.com' };
    expect((await service.raw({ path: uriOf(grant.clientId), headers })).status).toBe(200);
  });

  it('to a new token after the old ones were made invalid', async () => {
    const other = await aGrant(service.store);
    await service.store.macTokens.recordSecurityChange(other.user.user_id);
    const next = await aGrant(service.store, { user: other.user, clientId: other.clientId });
    expect((await service.ask(next)).status).toBe(200);
  });

  it('once a user is no longer blocked', async () => {
    const other = await aGrant(service.store);
    await service.store.users.block(other.user.user_id, other.clientId);
    await service.store.users.unblock(other.user.user_id, other.clientId);
    expect((await service.ask(other)).status).toBe(200);
  });
});

describe('literal vectors', () => {
  it.each([
    ['https://tds-tapsdk.cn.tapapis.com', 'XWTPmq6A6LzgK8BbNDwj+kE4gzs='],
    ['http://tds-tapsdk.cn.tapapis.com', 'uehKGfDzHPHNhmqA8A4orfu1Usg='],
    ['http://127.0.0.1:8080', 'BQECzVQN0zc1nAcuhgyMAVbzQ6c='],
  ])('of the vendor hold at %s', async (publicUrl, mac) => {
    const then = await openUserInfo(harness, { clock: fakeClock(1_618_221_750_999), publicUrls: [publicUrl] });
    const old = await aGrant(service.store, { clientId: '0RiAlMny7jiz086FaU', macKey: 'mSUQNYUGRBPXyRyW' });
    const authorization = `MAC id="${old.accessToken}",ts="1618221750",nonce="adssd",mac="${mac}"`;
    const sent = { path: '/api/v1/user/info?client_id=0RiAlMny7jiz086FaU', headers: { authorization } };
    expect(await then.raw(sent)).toMatchObject({ status: 200, body: { ...old.user, now: 1_618_221_750 } });
    expect((await then.raw(sent)).body['error']).toBe('replay_attacks');
  });
});

describe('the public addresses', () => {
  const overseas = [
    ...['tds-tapsdk0.intl.tapapis.com', 'tds-tapsdk1.intl.tapapis.com', 'tds-tapsdk2.intl.tapapis.com'],
    ...['tds-tapsdk-b0.intl.tapapis.com', 'tds-tapsdk-b1.intl.tapapis.com'],
  ];

  it.each(overseas)('%s is one when it is configured, and nothing but that', async (host) => {
    const abroad = await openUserInfo(harness, { clock, publicUrls: overseas.map((name) => `https://${name}`) });
    expect((await abroad.ask(grant, { host })).status).toBe(200);
    expectError(await abroad.ask(grant, { host, port: 80 }), 'access_denied');
    expectError(await service.ask(grant, { host }), 'access_denied');
  });

  it('with a port count with that port and with the port of the scheme', async () => {
    const local = await openUserInfo(harness, { clock, publicUrls: ['http://127.0.0.1:8081', 'https://a.test:8443'] });
    const statusOf = async (host: string, port: number) => (await local.ask(grant, { host, port })).status;
    expect([await statusOf('127.0.0.1', 8081), await statusOf('127.0.0.1', 80)]).toEqual([200, 200]);
    expect([await statusOf('a.test', 8443), await statusOf('a.test', 443)]).toEqual([200, 200]);
    expect([await statusOf('127.0.0.1', 443), await statusOf('a.test', 80)]).toEqual([200, 401]);
    expect([await statusOf('127.0.0.1', 8443), await statusOf('a.test', 8081)]).toEqual([401, 401]);
  });
});

describe('invalid_request', () => {
  it.each([
    ['no client_id', '/api/v1/user/info'],
    ['no client_id among parameters', '/api/v1/user/info?client=a'],
    ['an empty client_id', '/api/v1/user/info?client_id='],
    ['client_id twice', '/api/v1/user/info?client_id=a&client_id=a'],
    ['an address too long', `/api/v1/user/info?client_id=a&x=${'x'.repeat(2048)}`],
    ['an address far too long', `/api/v1/user/info?client_id=a&x=${'x'.repeat(30_000)}`],
  ])('is the answer to %s', async (_name, uri) => {
    const reply = await service.ask(grant, { uri });
    expect({ ...reply.body, now: 0 }).toMatchObject({ error: 'invalid_request', success: false, code: 40001 });
    expect(reply.status).toBe(400);
    expect(reply.body['now']).toEqual(expect.any(Number));
  });

  const right = { id: '1/a', ts: '1', nonce: 'n', mac: 'm' };
  const names = ['id', 'ts', 'nonce', 'mac'] as const;
  const spelled = (attributes: Readonly<Record<string, string>>): string =>
    `MAC ${Object.entries(attributes)
      .map(([name, value]) => `${name}="${value}"`)
      .join(',')}`;
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['no header', undefined],
    ['another scheme', 'Bearer abc'],
    ['an unknown attribute', spelled({ ...right, ext: 'a' })],
    ['ts that is no number', spelled({ ...right, ts: 'now' })],
    ['a header too long', spelled({ ...right, id: 'x'.repeat(4096) })],
    ['a header far too long', spelled({ ...right, id: 'x'.repeat(30_000) })],
    ...names.flatMap((name) => [
      [`no ${name}`, spelled(Object.fromEntries(Object.entries(right).filter(([other]) => other !== name)))] as const,
      [`an empty ${name}`, spelled({ ...right, [name]: '' })] as const,
      [`${name} twice`, `${spelled(right)},${name}="1"`] as const,
      [`${name} without quotes`, spelled(right).replace(`${name}="${right[name]}"`, `${name}=${right[name]}`)] as const,
      [`${name} too long`, spelled({ ...right, [name]: '1'.repeat(2100) })] as const,
    ]),
  ];

  it.each(cases)('is the answer to %s', async (_name, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const reply = await service.raw({ path: uriOf(grant.clientId), headers });
    expect(reply).toMatchObject({ status: 400, body: { success: false, error: 'invalid_request', code: 40001 } });
    expect(reply.body['data']).toMatchObject({ error: 'invalid_request', code: 40001 });
    expect(reply.body['now']).toEqual(expect.any(Number));
  });

  it('is the answer to two Authorization headers', async () => {
    const authorization = [headerOf(grant, clock), headerOf(grant, clock)];
    expectError(await service.raw({ path: uriOf(grant.clientId), headers: { authorization } }), 'invalid_request');
  });

  it('comes before invalid_time, and client_id before the header', async () => {
    expectError(await service.ask(grant, { uri: '/api/v1/user/info', ts: '1' }), 'invalid_request');
  });
});

describe('405', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('is the answer to %s, signed or not', async (method) => {
    const replies = [await service.ask(grant, { method }), await service.raw({ method, path: uriOf('a') })];
    for (const reply of replies) {
      expectError(reply, 'invalid_request', 405);
      expect(reply.headers['allow']).toBe('GET');
    }
  });

  it('is the answer to HEAD, without body', async () => {
    const { status, headers, text } = await service.ask(grant, { method: 'HEAD' });
    expect({ status, allow: headers['allow'], text }).toEqual({ status: 405, allow: 'GET', text: '' });
  });
});

describe('invalid_time', () => {
  it.each([-301, 301, -1e9])('is the answer to a clock that is wrong by %d s', async (seconds) => {
    const ts = String(Math.floor(clock.now() / 1000) + seconds);
    expectError(await service.ask(grant, { ts }), 'invalid_time');
  });

  it('comes before access_denied', async () => {
    expectError(await service.ask(grant, { ts: '1', id: 'unknown' }), 'invalid_time');
  });

  it('can be put right by what it says', async () => {
    const local = await openUserInfo(harness, { clock, publicUrls: ['http://127.0.0.1'] });
    const client = openMacClient({
      token: { access_token: grant.accessToken, mac_key: grant.macKey, mac_algorithm: 'hmac-sha-1' },
      now: () => clock.now() - 86_400_000,
      fetch: (url, init) => {
        const headers = { authorization: new Headers(init?.headers).get('authorization') ?? '' };
        return fetch(String(url).replace('http://127.0.0.1', local.url), { ...init, headers });
      },
    });
    const answer = await client.get(`http://127.0.0.1${uriOf(grant.clientId)}`);
    expect(answer).toMatchObject({ status: 200, body: { user_id: grant.user.user_id } });
  });
});

describe('access_denied', () => {
  it.each([
    ['an unknown token', { id: '1/unknown' }],
    ['another key', { macKey: 'another key' }],
    ['an altered mac', { mac: 'XWTPmq6A6LzgK8BbNDwj+kE4gzs=' }],
    ['a mac that is no base64', { mac: '????' }],
    ['another port', { port: 80 }],
    ['another host', { host: 'evil.example.com' }],
    ['a host in upper case', { host: PUBLIC_HOST.toUpperCase() }],
  ])('is the answer to %s', async (_name, signing) => {
    expectError(await service.ask(grant, signing), 'access_denied');
  });

  it.each([
    ['another order of parameters', (id: string) => [`/api/v1/user/info?a=1&client_id=${id}`, `${uriOf(id)}&a=1`]],
    ['escapes in upper case', (id: string) => [`${uriOf(id)}&a=%2f`, `${uriOf(id)}&a=%2F`]],
    ['an escape undone', (id: string) => [`${uriOf(id)}&a=%7e`, `${uriOf(id)}&a=~`]],
    ['a parameter more', (id: string) => [uriOf(id), `${uriOf(id)}&a=1`]],
    ['another client', (id: string) => [uriOf(id), uriOf('other')]],
    ['another spelling of the path', (id: string) => [uriOf(id), uriOf(id).replace('info', 'INFO')]],
  ])('is the answer when what is sent has %s', async (_name, uris) => {
    const [signed = '', path = ''] = uris(grant.clientId);
    const authorization = headerOf(grant, clock, { uri: signed });
    expectError(await service.raw({ path, headers: { authorization } }), 'access_denied');
  });

  it('is the answer to a host that only the Host header names', async () => {
    const authorization = headerOf(grant, clock, { host: 'evil.example.com' });
    const headers = { authorization, host: 'evil.example.com', 'x-forwarded-host': 'evil.example.com' };
    expectError(await service.raw({ path: uriOf(grant.clientId), headers }), 'access_denied');
  });

  it.each([
    [
      'the authorization was revoked',
      ({ user, clientId }: Grant) => service.store.macTokens.revoke(user.user_id, clientId),
    ],
    ['the user’s security changed', ({ user }: Grant) => service.store.macTokens.recordSecurityChange(user.user_id)],
  ])('is the answer of every replica as soon as %s', async (_name, invalidate) => {
    const other = await aGrant(service.store);
    expect((await replica.ask(other)).status).toBe(200);
    await invalidate(other);
    for (const { ask } of [service, replica]) expectError(await ask(other), 'access_denied');
  });

  it('is the same for an unknown token and a wrong mac', async () => {
    const [unknown, wrong] = [
      await service.ask(grant, { id: 'unknown' }),
      await service.ask(grant, { macKey: 'wrong' }),
    ];
    expect(unknown.text).toBe(wrong.text);
    expect(Object.keys(unknown.headers)).toEqual(Object.keys(wrong.headers));
  });

  it('takes as long for an unknown token as for a wrong mac', async () => {
    const timesOf = { unknown: [] as number[], wrong: [] as number[] };
    for (let i = 0; i < 400; i += 1)
      for (const [kind, signing] of [
        ['unknown', { id: unique('1/') }],
        ['wrong', { macKey: 'wrong' }],
      ] as const) {
        const startedAt = performance.now();
        await service.ask(grant, signing);
        timesOf[kind].push(performance.now() - startedAt);
      }
    const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length / 2] ?? NaN;
    const ratio = median(timesOf.unknown) / median(timesOf.wrong);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.67);
  });
});

describe('invalid_client', () => {
  it('is the answer to another client than that of the token, known or not', async () => {
    const other = await aGrant(service.store);
    expectError(await service.ask(grant, { clientId: other.clientId }), 'invalid_client');
    expectError(await service.ask(grant, { clientId: 'unknown' }), 'invalid_client');
  });

  it('is the answer to a client that was removed', async () => {
    const other = await aGrant(service.store);
    await service.store.clients.remove(other.clientId);
    expectError(await replica.ask(other), 'invalid_client');
  });

  it('leaves the nonce unused', async () => {
    const nonce = unique('n');
    expectError(await service.ask(grant, { clientId: 'unknown', nonce }), 'invalid_client');
    expect((await service.ask(grant, { nonce })).status).toBe(200);
  });
});

describe('replay_attacks', () => {
  it('is the answer to the same request again, on any replica', async () => {
    const sent = { path: uriOf(grant.clientId), headers: { authorization: headerOf(grant, clock) } };
    expect((await service.raw(sent)).status).toBe(200);
    for (const { raw } of [service, replica]) expectError(await raw(sent), 'replay_attacks');
  });

  it('lets one of many through', async () => {
    const sent = { path: uriOf(grant.clientId), headers: { authorization: headerOf(grant, clock) } };
    const replies = await Promise.all([service, replica, service, replica].map(({ raw }) => raw(sent)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it('is not fooled by the other name of the token', async () => {
    const kid = unique('kid');
    const { user, ...token } = await aGrant(service.store);
    await service.store.macTokens.add({ ...token, kid, userId: user.user_id });
    const signing = { nonce: unique('n'), ts: String(Math.floor(clock.now() / 1000)) };
    expect((await service.ask({ user, ...token }, signing)).status).toBe(200);
    expectError(await service.ask({ user, ...token }, { ...signing, id: kid }), 'replay_attacks');
  });

  it('is remembered for longer than a timestamp can count', async () => {
    const before = new Set(await keysOf('nonce'));
    await service.ask(await aGrant(service.store), { ts: String(Math.floor(clock.now() / 1000) + 300) });
    const [key = ''] = (await keysOf('nonce')).filter((name) => !before.has(name));
    const redis = await harness.open();
    expect(await redis.pttl(key)).toBeGreaterThan(600_000);
  });

  it('is not the answer to a stranger’s copy of a nonce that was not used yet', async () => {
    const nonce = unique('n');
    expectError(await service.ask(grant, { nonce, macKey: 'wrong' }), 'access_denied');
    expect((await service.ask(grant, { nonce })).status).toBe(200);
  });
});

describe('forbidden', () => {
  it('is the answer when the user is blocked for this client, and for no other', async () => {
    const blocked = await aGrant(service.store);
    const other = await aGrant(service.store, { user: blocked.user });
    await service.store.users.block(blocked.user.user_id, blocked.clientId);
    expectError(await replica.ask(blocked), 'forbidden');
    expect((await replica.ask(other)).status).toBe(200);
  });
});

describe('not_found', () => {
  it('is the answer when the user was removed', async () => {
    const gone = await aGrant(service.store);
    await service.store.users.remove(gone.user.user_id);
    expectError(await replica.ask(gone), 'not_found');
  });

  it.each(['/api/v1/user', '/api/v2/user/info?client_id=a', '/openapi.yaml', '/%E0%A4%A'])(
    'is the answer to %s',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) expectError(await service.raw({ method, path }), 'not_found');
    },
  );
});

describe('slow_down', () => {
  const limited = (limits: HarnessOptions['limits'] = {}) => openUserInfo(harness, { clock, limits });

  const forgetFailures = async (): Promise<void> => {
    const redis = await harness.open();
    for (const key of await keysOf('failures')) await redis.del(key);
  };

  it('is the answer to an address that fails too often, on any replica, but never to a right request', async () => {
    const limits = { perAddress: 5, perToken: 0 };
    const [one, two] = [await limited(limits), await limited(limits)];
    await forgetFailures();
    const errors: unknown[] = [];
    for (let i = 0; i < 8; i += 1) errors.push((await one.ask(grant, { id: unique('id') })).body['error']);
    expect(errors).toEqual([...Array(5).fill('access_denied'), ...Array(3).fill('slow_down')]);
    const reply = await two.ask(grant, { macKey: 'wrong' });
    expectError(reply, 'slow_down');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(30);
    expect((await two.ask(grant)).status).toBe(200);
    await forgetFailures();
  });

  it('holds the caller behind a trusted proxy to account, and nobody for what a caller only claims', async () => {
    const { raw } = await openUserInfo(harness, { clock, proxyHops: 1, limits: { perAddress: 2, perToken: 0 } });
    const errorFrom = async (forwarded: string) => {
      const headers = { authorization: headerOf(grant, clock, { id: unique('id') }), 'x-forwarded-for': forwarded };
      return (await raw({ path: uriOf(grant.clientId), headers })).body['error'];
    };
    const errors: unknown[] = [];
    for (let n = 0; n < 3; n += 1) errors.push(await errorFrom(`10.9.9.${n}, 203.0.113.77`));
    expect(errors).toEqual(['access_denied', 'access_denied', 'slow_down']);
    expect(await errorFrom('203.0.113.77, 203.0.113.78')).toBe('access_denied');
  });

  it('is the answer to failures with one token, and leaves other tokens alone', async () => {
    const { ask } = await limited({ perAddress: 0, perToken: 2 });
    const [victim, other] = [await aGrant(service.store), await aGrant(service.store)];
    const errorOf = async (whose: Grant) => (await ask(whose, { macKey: 'wrong' })).body['error'];
    expect([await errorOf(victim), await errorOf(victim), await errorOf(victim)]).toEqual([
      ...['access_denied', 'access_denied', 'slow_down'],
    ]);
    expect(await errorOf(other)).toBe('access_denied');
    expect((await ask(victim)).status).toBe(200);
  });

  it('is the answer to a token that signs too many requests, however its clock goes', async () => {
    const { ask } = await openUserInfo(harness, { clock, limits: { requestsPerToken: 6 } });
    const [busy, other] = [await aGrant(service.store), await aGrant(service.store)];
    const second = Math.floor(clock.now() / 1000);
    const period = second - (second % 30);
    const statusesAt = async (ts: number) => {
      const replies: number[] = [];
      for (let n = 0; n < 5; n += 1) replies.push((await ask(busy, { ts: String(ts + n) })).status);
      return replies;
    };
    expect(await statusesAt(period)).toEqual([200, 200, 200, 429, 429]);
    expect(await statusesAt(period - 30)).toEqual([200, 200, 200, 429, 429]);
    const reply = await ask(busy, { ts: String(period + 9) });
    expectError(reply, 'slow_down');
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(30);
    expect((await ask(other, { ts: String(period) })).status).toBe(200);
    expect((await ask(busy, { ts: String(period + 30) })).status).toBe(200);
  });

  it('is never in the way of a clock that wants to be put right', async () => {
    const { ask } = await limited({ perAddress: 1, perToken: 1 });
    for (let i = 0; i < 5; i += 1) expectError(await ask(grant, { ts: '1' }), 'invalid_time');
  });
});
