import { unique } from '@pushfleet/testing';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const { call } = admin;

const profile = { name: '张三', avatar: 'https://example.com/a.png', gender: 1, is_guest: false };

async function aUser(): Promise<string> {
  const userId = unique('user');
  expect((await call('PUT', `/users/${userId}`, profile)).status).toBe(200);
  return userId;
}

async function aClient(): Promise<string> {
  const clientId = unique('client');
  expect((await call('PUT', `/clients/${clientId}`, { name: 'Game' })).status).toBe(200);
  return clientId;
}

async function aToken(): Promise<{ userId: string; clientId: string; token: Record<string, unknown> }> {
  const [userId, clientId] = [await aUser(), await aClient()];
  const { status, body: token } = await call('POST', `/users/${userId}/tokens/${clientId}`);
  expect(status).toBe(201);
  return { userId, clientId, token };
}

async function stateOf(accessToken: unknown) {
  const { macTokens } = admin.store;
  const token = await macTokens.find(String(accessToken));
  return token && (await macTokens.stateOf(token));
}

describe('/users/:userId', () => {
  it('200: what was put is told again, and may be put back', async () => {
    const userId = await aUser();
    const { status, body } = await call('GET', `/users/${userId}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: { user_id: userId, ...profile, openids: {}, unionids: {}, blocked_clients: [] },
    });
    const changed = await call('PUT', `/users/${userId}`, { user_id: userId, ...profile, name: 'New' });
    expect(changed).toMatchObject({ status: 200, body: { user_id: userId, name: 'New' } });
  });

  it('200: a name is all that is needed', async () => {
    const userId = `${unique('a')}/+=`;
    const path = `/users/${encodeURIComponent(userId)}`;
    const { body } = await call('PUT', path, { name: 'A' });
    expect(body).toEqual({ user_id: userId, name: 'A', avatar: '', gender: 0, is_guest: false });
    expect((await call('GET', path)).status).toBe(200);
  });

  it('200: a user is removed once', async () => {
    const userId = await aUser();
    expect(await call('DELETE', `/users/${userId}`)).toMatchObject({ status: 200, body: {} });
    expect((await call('DELETE', `/users/${userId}`)).status).toBe(404);
    expect((await call('GET', `/users/${userId}`)).status).toBe(404);
  });

  it.each([
    [{}, 'name'],
    [{ name: 1 }, 'name'],
    [{ name: 'A', gender: 3 }, 'gender'],
    [{ name: 'A', is_guest: 'no' }, 'is_guest'],
    [{ name: 'A', user_id: 'another' }, 'user_id'],
    [{ name: 'A', email: 'a@example.com' }, 'email'],
  ])('400: %j', async (body, path) => {
    const answer = await call('PUT', `/users/${unique('user')}`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 111, details: [{ path }] } });
  });

  it('400: an id that the store cannot keep', async () => {
    expect(await call('PUT', '/users/%7Ba%7D', profile)).toMatchObject({ status: 400, body: { code: 111 } });
  });
});

it.each(['user', 'client'])('a new %s takes the place of no other', async (what) => {
  const path = `/${what}s/${unique(what)}`;
  expect((await call('PUT', `${path}?create=1`, { name: 'Ann' })).status).toBe(200);
  const refused = await call('PUT', `${path}?create=1`, { name: 'Eve' });
  expect(refused).toMatchObject({ status: 409, body: { details: [{ path: `${what}Id` }] } });
  expect((await call('GET', path)).body['name']).toBe('Ann');
  expect((await call('PUT', path, { name: 'Anne' })).status).toBe(200);
  expect((await call('PUT', `${path}?create=yes`, { name: 'Eve' })).status).toBe(400);
  expect((await call('GET', path)).body['name']).toBe('Anne');
});

it('of many who create one user at once, one does', async () => {
  const path = `/users/${unique('u')}?create=1`;
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => call('PUT', path, { name: `No ${i}` })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
});

describe('/clients/:clientId', () => {
  it('200: what was put is told again, until it is removed', async () => {
    const clientId = await aClient();
    const { body } = await call('GET', `/clients/${clientId}`);
    expect(body).toEqual({ client_id: clientId, name: 'Game', developer_id: 'default' });
    expect((await call('DELETE', `/clients/${clientId}`)).status).toBe(200);
    for (const method of ['GET', 'DELETE']) expect((await call(method, `/clients/${clientId}`)).status).toBe(404);
  });

  it.each([
    [{}, 'name'],
    [{ name: 'A', client_id: 'another' }, 'client_id'],
  ])('400: %j', async (body, path) => {
    expect(await call('PUT', '/clients/client', body)).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });
});

describe('/users/:userId/tokens/:clientId', () => {
  it('201: a token is issued as the login hands it out', async () => {
    const { token } = await aToken();
    expect(token).toEqual({
      kid: token['access_token'],
      access_token: expect.stringMatching(/^1\/[\w-]{64}$/),
      token_type: 'mac',
      mac_key: expect.stringMatching(/^[\w-]{32}$/),
      mac_algorithm: 'hmac-sha-1',
      scope: 'public_profile',
    });
    expect(await stateOf(token['access_token'])).toMatchObject({ isCurrent: true, hasClient: true });
  });

  it('201: the algorithm may be chosen', async () => {
    const path = `/users/${await aUser()}/tokens/${await aClient()}`;
    const { body } = await call('POST', path, { mac_algorithm: 'hmac-sha-256' });
    expect(body).toMatchObject({ mac_algorithm: 'hmac-sha-256', mac_key: expect.any(String) });
  });

  it('201: the life that is given is told again', async () => {
    const path = `/users/${await aUser()}/tokens/${await aClient()}`;
    expect((await call('POST', path, { expire_in: '7200' })).body).toMatchObject({ expire_in: '7200' });
    expect((await call('POST', path)).body).not.toHaveProperty('expire_in');
  });

  it('201: a given token is kept byte for byte', async () => {
    const given = {
      ...{ kid: unique('kid'), access_token: `1/${unique('t')}+/=`, token_type: 'mac', mac_key: 'mSUQNYUGRBPXyRyW' },
      ...{ mac_algorithm: 'hmac-sha-1', scope: 'basic_info', expire_in: '0' },
    };
    const path = `/users/${await aUser()}/tokens/${await aClient()}`;
    expect(await call('POST', path, given)).toMatchObject({ status: 201, body: given });
    expect(await admin.store.macTokens.find(given.kid)).toMatchObject({ macKey: given.mac_key });
  });

  it.each([
    [{ access_token: 'a-token-without-key' }, 'mac_key'],
    [{ mac_key: 'a-key-without-token' }, 'access_token'],
    [{ mac_algorithm: 'md5' }, 'mac_algorithm'],
    [{ access_token: 'with "quotes"', mac_key: 'some-mac-key' }, 'access_token'],
  ])('400: %j', async (body, path) => {
    const answer = await call('POST', `/users/${await aUser()}/tokens/${await aClient()}`, body);
    const details = expect.arrayContaining([expect.objectContaining({ path })]);
    expect(answer).toMatchObject({ status: 400, body: { code: 111, details } });
    expect(JSON.stringify(answer.body)).not.toMatch(/some-mac-key|a-key-without/);
  });

  it('404: user or client is missing', async () => {
    const [userId, clientId] = [await aUser(), await aClient()];
    expect((await call('POST', `/users/nobody/tokens/${clientId}`)).status).toBe(404);
    expect((await call('POST', `/users/${userId}/tokens/nothing`)).status).toBe(404);
    expect((await call('DELETE', `/users/nobody/tokens/${clientId}`)).status).toBe(404);
  });

  it.each([
    [{ expire_in: 3600 }, 'expire_in: must be text, not a number'],
    [{ scope: '' }, 'scope: must be words of letters, digits and _ . : -'],
    [{ mac_algorithm: 'md5' }, 'mac_algorithm: must be "hmac-sha-1" or "hmac-sha-256"'],
    [{ scopes: 'basic_info' }, 'scopes: is not a known field'],
    [[], 'must be an object, not a list'],
  ])('400: the wish %j for a new token is told what is wrong with it alone', async (body, error) => {
    const path = `/users/${await aUser()}/tokens/${await aClient()}`;
    expect(await call('POST', path, body)).toMatchObject({ status: 400, body: { error } });
  });

  it('400: half of a given token is told what is missing', async () => {
    const path = `/users/${await aUser()}/tokens/${await aClient()}`;
    const { body } = await call('POST', path, { access_token: 'given-token' });
    expect(body['error']).toBe('mac_key: is required');
  });

  it('409: a given token belongs to somebody else, or was revoked', async () => {
    const { userId, clientId, token } = await aToken();
    const other = `/users/${await aUser()}/tokens/${clientId}`;
    expect((await call('POST', other, token)).status).toBe(409);
    await call('DELETE', `/users/${userId}/tokens/${clientId}`);
    expect(await call('POST', `/users/${userId}/tokens/${clientId}`, token)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('made invalid') },
    });
  });

  it('200: revoking tells how many tokens it ended', async () => {
    const { userId, clientId, token } = await aToken();
    await call('POST', `/users/${userId}/tokens/${clientId}`);
    const { body } = await call('DELETE', `/users/${userId}/tokens/${clientId}`);
    expect(body).toEqual({ invalidated: 2 });
    expect(await stateOf(token['access_token'])).toMatchObject({ isCurrent: false });
  });
});

describe('/users/:userId/security-change', () => {
  it('200: ends every token of the user', async () => {
    const { userId, token } = await aToken();
    const { body } = await call('POST', `/users/${userId}/security-change`);
    expect(body).toEqual({ invalidated: 1 });
    expect(await stateOf(token['access_token'])).toMatchObject({ isCurrent: false });
  });

  it('404: there is no such user', async () => {
    expect((await call('POST', '/users/nobody/security-change')).status).toBe(404);
  });
});

describe('/users/:userId/blocks/:clientId', () => {
  it('200: blocks and lets in again, as often as one likes', async () => {
    const { userId, clientId, token } = await aToken();
    const path = `/users/${userId}/blocks/${clientId}`;
    for (const method of ['PUT', 'PUT']) expect((await call(method, path)).status).toBe(200);
    expect((await call('GET', `/users/${userId}`)).body).toMatchObject({ blocked_clients: [clientId] });
    expect(await stateOf(token['access_token'])).toMatchObject({ isBlocked: true });
    for (const method of ['DELETE', 'DELETE']) expect((await call(method, path)).status).toBe(200);
    expect(await stateOf(token['access_token'])).toMatchObject({ isBlocked: false });
  });

  it('404: user or client is missing', async () => {
    const [userId, clientId] = [await aUser(), await aClient()];
    expect((await call('PUT', `/users/nobody/blocks/${clientId}`)).status).toBe(404);
    expect((await call('PUT', `/users/${userId}/blocks/nothing`)).status).toBe(404);
    expect((await call('DELETE', `/users/nobody/blocks/${clientId}`)).status).toBe(404);
  });
});

describe('POST /imports/users', () => {
  it('200: takes over users and tokens and tells about each line', async () => {
    const clientId = await aClient();
    const userId = unique('user');
    const token = { user_id: userId, client_id: clientId, access_token: unique('t'), mac_key: 'imported-key' };
    const lines = [
      token,
      { user_id: userId, ...profile },
      { user_id: userId, name: 'B', gender: 9 },
      { ...token, access_token: unique('t'), client_id: 'nothing' },
      { ...token, access_token: unique('t'), user_id: 'nobody' },
      'text',
      null,
    ];
    const { status, body } = await call('POST', '/imports/users', { lines });
    expect(status).toBe(200);
    expect(body['results']).toEqual([
      { kind: 'token' },
      { kind: 'user' },
      { error: expect.stringMatching(/^gender: /) },
      { error: expect.stringContaining('no such client') },
      { error: expect.stringContaining('no such user') },
      { error: expect.any(String) },
      { error: expect.any(String) },
    ]);
    expect(JSON.stringify(body)).not.toContain('imported-key');
    expect((await admin.store.macTokens.find(token.access_token))?.macKey).toBe('imported-key');
    expect((await call('POST', '/imports/users', { lines: lines.slice(0, 2) })).body['results']).toEqual([
      ...[{ kind: 'token' }, { kind: 'user' }],
    ]);
  });

  it.each([[{}], [{ lines: [] }], [{ lines: 'x' }], [{ lines: Array(501).fill({}) }]])('400', async (body) => {
    expect((await call('POST', '/imports/users', body)).status).toBe(400);
  });
});
