import { randomBytes } from 'node:crypto';
import { openStore, type NewMacToken, type Store } from '@pushfleet/store';
import { fakeClock, redisHarness, SECRET_KEY, unique } from '@pushfleet/testing';
import { aGrant, headerOf, openUserInfo, type Grant, type Reply, type UserInfo } from '../testing/user-info-harness';

const harness = redisHarness();
const clock = fakeClock();
let service: UserInfo;
let replica: UserInfo;

beforeAll(async () => {
  service = await openUserInfo(harness, { clock });
  replica = await openUserInfo(harness, { clock });
});

const PROFILE = '/account/profile/v1';
const BASIC_INFO = '/account/basic-info/v1';

const ask = (grant: Grant, path: string, { ask: askService } = service): Promise<Reply> =>
  askService(grant, { uri: `${path}?client_id=${grant.clientId}` });

const idsOf = async (grant: Grant, of = service): Promise<unknown> => (await ask(grant, BASIC_INFO, of)).body['data'];

/** Another token of the same user. */
async function another(grant: Grant, changes: Partial<NewMacToken> & { developerId?: string }): Promise<Grant> {
  const { developerId = 'default', clientId = grant.clientId, ...others } = changes;
  const token = { ...grant, accessToken: unique('1/token'), clientId, ...others };
  await service.store.clients.put({ client_id: clientId, name: 'Another', developer_id: developerId });
  expect(await service.store.macTokens.add({ ...token, userId: grant.user.user_id })).toBe('added');
  return token;
}

describe('what a client reads', () => {
  it('profile: name, avatar, gender in words, openid and unionid, in the envelope and at the top', async () => {
    const { status, body } = await ask(await aGrant(service.store), PROFILE);
    const data = {
      ...{ name: '张三', avatar: 'https://example.com/a.png', gender: 'male' },
      ...{ openid: expect.stringMatching(/^[\w-]{24}$/), unionid: expect.stringMatching(/^[\w-]{24}$/) },
    };
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data, now: expect.any(Number), ...data } });
  });

  it.each([
    [0, ''],
    [1, 'male'],
    [2, 'female'],
  ] as const)('profile: gender %j is %j', async (gender, word) => {
    const user = { user_id: unique('user'), name: 'A', avatar: '', gender, is_guest: false };
    expect((await ask(await aGrant(service.store, { user }), PROFILE)).body['gender']).toBe(word);
  });

  it('basic-info: openid and unionid, nothing else', async () => {
    const grant = await aGrant(service.store);
    const { openid, unionid } = (await ask(grant, PROFILE)).body;
    expect((await ask(grant, BASIC_INFO)).body['data']).toEqual({ openid, unionid });
  });

  it.each([PROFILE, BASIC_INFO])('%s: 405 with Allow for another method, 401 without a right MAC', async (path) => {
    const grant = await aGrant(service.store);
    const post = await service.raw({ method: 'POST', path });
    expect({ status: post.status, allow: post.headers['allow'] }).toEqual({ status: 405, allow: 'GET' });
    const wrong = await service.ask(grant, { uri: `${path}?client_id=${grant.clientId}`, macKey: 'wrong key' });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'access_denied' } });
  });

  it('a signature for one address is none for another', async () => {
    const grant = await aGrant(service.store);
    const [signed, other] = [PROFILE, BASIC_INFO].map((path) => `${path}?client_id=${grant.clientId}`);
    const authorization = headerOf(grant, clock, { uri: signed ?? '' });
    const headers = { authorization };
    expect(await service.raw({ path: other ?? '', headers })).toMatchObject({
      ...{ status: 401, body: { error: 'access_denied' } },
    });
    expect((await service.raw({ path: signed ?? '', headers })).status).toBe(200);
  });

  it.each([PROFILE, BASIC_INFO])(
    '%s: signed as samples sign: port 443, any order, spaces, rounded up',
    async (path) => {
      const plain = await openUserInfo(harness, { clock, publicUrls: ['http://login.example.com:8081'] });
      const grant = await aGrant(plain.store);
      const uri = `${path}?client_id=${grant.clientId}`;
      const ts = String(Math.ceil(clock.now() / 1000));
      const header = headerOf(grant, clock, { uri, ts, host: 'login.example.com', port: 443 });
      const authorization = `MAC ${header.slice('MAC '.length).split(',').reverse().join(', ')}`;
      expect(await plain.raw({ path: uri, headers: { authorization } })).toMatchObject({
        ...{ status: 200, body: { success: true, data: { openid: expect.any(String) } } },
      });
    },
  );
});

describe('scopes', () => {
  it.each([
    [undefined, [200, 200, 200]],
    ['public_profile', [200, 200, 200]],
    ['basic_info', [403, 403, 200]],
    ['basic_info,public_profile', [200, 200, 200]],
    ['user_friends', [403, 403, 403]],
  ])('a token with scope %j', async (scope, expected) => {
    const grant = await another(await aGrant(service.store), { scope });
    const replies = [await ask(grant, '/api/v1/user/info'), await ask(grant, PROFILE), await ask(grant, BASIC_INFO)];
    expect(replies.map(({ status }) => status)).toEqual(expected);
    for (const { status, body } of replies) if (status === 403) expect(body['error']).toBe('insufficient_scope');
  });
});

describe('account ids', () => {
  it('are the same at every look-up, on every replica, with every token', async () => {
    const grant = await aGrant(service.store);
    const ids = await idsOf(grant);
    expect(await idsOf(grant, replica)).toEqual(ids);
    expect(await idsOf(await another(grant, {}))).toEqual(ids);
  });

  it('openid differs between clients, unionid between developers', async () => {
    const grant = await aGrant(service.store);
    const sibling = await another(grant, { clientId: unique('client') });
    const stranger = await another(grant, { clientId: unique('client'), developerId: 'other' });
    const [own, same, other] = (await Promise.all([grant, sibling, stranger].map((g) => idsOf(g)))) as Record<
      string,
      string
    >[];
    expect(new Set([own?.['openid'], same?.['openid'], other?.['openid']]).size).toBe(3);
    expect(same?.['unionid']).toBe(own?.['unionid']);
    expect(other?.['unionid']).not.toBe(own?.['unionid']);
  });

  it('differ between users', async () => {
    const [one, two] = [await aGrant(service.store), await aGrant(service.store)];
    expect(await idsOf(one)).not.toEqual(await idsOf({ ...two }));
  });

  it('that were given are kept, and stay when the user is written again without them', async () => {
    const clientId = unique('__proto__');
    const grant = await aGrant(service.store, { clientId });
    const { user } = grant;
    const given = { openids: { [clientId]: 'o/+=' }, unionids: { default: 'u/+=', other: 'another' } };
    await service.store.users.put(user, given);
    await service.store.users.put({ ...user, name: 'B' });
    expect(await idsOf(grant)).toEqual({ openid: 'o/+=', unionid: 'u/+=' });
    expect(await service.store.users.get(user.user_id)).toMatchObject({ given });
  });

  it('survive a new SECRET_KEY', async () => {
    const grant = await aGrant(service.store);
    const ids = await idsOf(grant);
    const rotated = openStore({
      ...{ redis: service.redis, namespace: harness.namespace, vendors: new Map() },
      ...{ secretKey: randomBytes(32).toString('base64'), previousSecretKey: SECRET_KEY },
    });
    expect(await accountIds(rotated, grant)).toEqual(ids);
  });

  it('are never made anew when their key cannot be read', async () => {
    const grant = await aGrant(service.store);
    const ids = await idsOf(grant);
    const stranger = openStore({
      ...{ redis: service.redis, namespace: harness.namespace, vendors: new Map() },
      secretKey: randomBytes(32).toString('base64'),
    });
    await expect(accountIds(stranger, grant)).rejects.toMatchObject({ name: 'UnreadableSecret' });
    expect(await idsOf(grant, await openUserInfo(harness, { clock }))).toEqual(ids);
  });
});

const accountIds = (store: Store, { user, clientId }: Grant) =>
  store.accountIds.of({ userId: user.user_id, clientId, developerId: 'default', given: {} });
