import { keysIn, unique, until } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';
import type { NewMacToken } from './mac-tokens';
import type { StoredMacToken } from './stored-mac-token';
import type { User } from './users';

const under = storeUnderTest();

const aUser = (changes: Partial<User> = {}): User => ({
  ...{ user_id: unique('user'), name: '张三', avatar: 'https://example.com/a.png', gender: 1, is_guest: false },
  ...changes,
});

async function aToken(changes: Partial<NewMacToken> = {}): Promise<NewMacToken> {
  const clientId = unique('client');
  const token: NewMacToken = {
    ...{ userId: unique('user'), clientId, accessToken: `1/${unique('token')}`, macKey: unique('key') },
    macAlgorithm: 'hmac-sha-1',
    ...changes,
  };
  const { users, clients, macTokens } = under.store;
  if ((await users.get(token.userId)) === undefined) await users.put(aUser({ user_id: token.userId }));
  await clients.put({ client_id: token.clientId, name: 'Game', developer_id: 'default' });
  expect(await macTokens.add(token)).toBe('added');
  return token;
}

async function found(id: string, { macTokens } = under.store): Promise<StoredMacToken> {
  const token = await macTokens.find(id);
  if (!token) throw new Error('the token is not stored');
  return token;
}

const isCurrent = async ({ accessToken }: NewMacToken): Promise<boolean> =>
  (await under.store.macTokens.stateOf(await found(accessToken))).isCurrent;

describe('a token', () => {
  it('is found by its access token and by its key id, as one and the same', async () => {
    const { accessToken, userId, clientId, macKey, kid } = await aToken({ kid: unique('kid') });
    const token = await found(accessToken);
    expect(token).toMatchObject({ userId, clientId, macKey, macAlgorithm: 'hmac-sha-1' });
    expect(await found(kid ?? '')).toEqual(token);
    expect(await under.store.macTokens.find('unknown')).toBeUndefined();
  });

  it('that is added again with another key id, or none, is not found by the former one', async () => {
    const token = await aToken({ kid: unique('kid') });
    const { kid: first = '', ...same } = token;
    const second = unique('kid');
    expect(await under.store.macTokens.add({ ...same, kid: second, macKey: 'another key' })).toBe('added');
    expect(await under.store.macTokens.find(first)).toBeUndefined();
    expect((await found(second)).macKey).toBe('another key');
    expect(await under.store.macTokens.add({ ...same, macKey: 'third key' })).toBe('added');
    expect(await under.store.macTokens.find(second)).toBeUndefined();
    expect((await found(token.accessToken)).macKey).toBe('third key');
    expect((await under.store.macTokens.list(token.userId)).results).toHaveLength(1);
  });

  it('leaves neither its key nor itself in the clear', async () => {
    const { accessToken, macKey } = await aToken();
    const texts: string[] = [];
    for (const name of await keysIn(under.redis, `${under.harness.namespace}:*`)) {
      const type = await under.redis.type(name);
      const isHash = type === 'hash';
      const value = type === 'string' ? await under.redis.get(name) : isHash ? await under.redis.hgetall(name) : '';
      texts.push(name, JSON.stringify(value));
    }
    expect(texts.length).toBeGreaterThan(3);
    expect(texts.join('\n')).not.toContain(macKey);
    expect(texts.join('\n')).not.toContain(accessToken);
  });

  it('is read together with user and client', async () => {
    const token = await aToken();
    const { user, ...state } = await under.store.macTokens.stateOf(await found(token.accessToken));
    expect(state).toEqual({ isCurrent: true, isBlocked: false, hasClient: true, developerId: 'default', given: {} });
    expect(user).toEqual(aUser({ user_id: token.userId }));
  });

  it('does not replace the ones that the user has already', async () => {
    const first = await aToken();
    const second = await aToken({ userId: first.userId, clientId: first.clientId });
    expect([await isCurrent(first), await isCurrent(second)]).toEqual([true, true]);
  });

  it('needs a user', async () => {
    const token = { userId: unique('nobody'), clientId: 'c', accessToken: unique('t'), macKey: unique('k') };
    expect(await under.store.macTokens.add({ ...token, macAlgorithm: 'hmac-sha-1' })).toBe('no-user');
    expect(await under.store.macTokens.find(token.accessToken)).toBeUndefined();
  });

  it('may be added again, which changes its key and nothing else', async () => {
    const token = await aToken();
    await aToken({ ...token, macKey: 'another key' });
    expect((await found(token.accessToken)).macKey).toBe('another key');
    expect(await isCurrent(token)).toBe(true);
  });

  it.each(['userId', 'clientId'] as const)('does not change its %s', async (field) => {
    const token = await aToken();
    expect(await under.store.macTokens.add({ ...token, [field]: unique('other') })).toBe('taken');
    expect((await found(token.accessToken))[field]).toBe(token[field]);
  });

  it('cannot be reached under the key id of another', async () => {
    const [token, other] = [await aToken(), await aToken()];
    expect(await under.store.macTokens.add({ ...other, kid: token.accessToken })).toBe('taken');
  });
});

describe('revoking an authorization', () => {
  it('ends every token of the user for this client, and no other', async () => {
    const token = await aToken();
    const same = await aToken({ userId: token.userId, clientId: token.clientId });
    const otherClient = await aToken({ userId: token.userId });
    const otherUser = await aToken({ clientId: token.clientId });
    expect(await under.store.macTokens.revoke(token.userId, token.clientId)).toBe(2);
    expect([await isCurrent(token), await isCurrent(same)]).toEqual([false, false]);
    expect([await isCurrent(otherClient), await isCurrent(otherUser)]).toEqual([true, true]);
  });

  it('is seen by another process that has the token in hand', async () => {
    const replica = under.open();
    const token = await aToken();
    const inHand = await found(token.accessToken, replica);
    await under.store.macTokens.revoke(token.userId, token.clientId);
    expect((await replica.macTokens.stateOf(inHand)).isCurrent).toBe(false);
  });

  it('allows new tokens, but not the old one again', async () => {
    const token = await aToken();
    await under.store.macTokens.revoke(token.userId, token.clientId);
    expect(await under.store.macTokens.add(token)).toBe('invalid');
    expect(await isCurrent(token)).toBe(false);
    expect(await isCurrent(await aToken({ userId: token.userId, clientId: token.clientId }))).toBe(true);
  });

  it('lets what is no longer valid go after a while', async () => {
    const token = await aToken();
    await under.store.macTokens.revoke(token.userId, token.clientId);
    const { id } = await found(token.accessToken);
    expect(await under.redis.pttl(under.keys.macToken(id))).toBeGreaterThan(29 * 86_400_000);
    expect(await under.redis.exists(under.keys.tokensOf(token.userId))).toBe(0);
  });

  it('needs a user', async () => {
    expect(await under.store.macTokens.revoke(unique('nobody'), 'client')).toBeUndefined();
    expect(await under.store.macTokens.recordSecurityChange(unique('nobody'))).toBeUndefined();
  });
});

it('a security change ends every token of the user', async () => {
  const token = await aToken();
  const otherClient = await aToken({ userId: token.userId });
  const otherUser = await aToken();
  expect(await under.store.macTokens.recordSecurityChange(token.userId)).toBe(2);
  expect([await isCurrent(token), await isCurrent(otherClient), await isCurrent(otherUser)]).toEqual([
    ...[false, false, true],
  ]);
  expect(await isCurrent(await aToken({ userId: token.userId }))).toBe(true);
});

describe('a user', () => {
  it('is changed without losing tokens and blocks', async () => {
    const token = await aToken();
    const { users } = under.store;
    await users.block(token.userId, 'c1');
    await users.put(aUser({ user_id: token.userId, name: 'New' }));
    expect(await users.get(token.userId)).toEqual({
      user: aUser({ user_id: token.userId, name: 'New' }),
      blockedClients: ['c1'],
      given: { openids: {}, unionids: {} },
    });
    expect(await isCurrent(token)).toBe(true);
  });

  it('who is removed leaves tokens without user, and none to a successor', async () => {
    const token = await aToken();
    const { users, macTokens } = under.store;
    expect(await users.remove(token.userId)).toBe(true);
    expect(await users.remove(token.userId)).toBe(false);
    const inHand = await found(token.accessToken);
    expect(await macTokens.stateOf(inHand)).toMatchObject({ isCurrent: true, user: undefined });
    await users.put(aUser({ user_id: token.userId }));
    expect(await macTokens.stateOf(inHand)).toMatchObject({ isCurrent: false, user: { user_id: token.userId } });
    expect(await macTokens.add(token)).toBe('invalid');
  });

  it('can be blocked for one client and let in again', async () => {
    const token = await aToken();
    const other = await aToken({ userId: token.userId });
    const { users, macTokens } = under.store;
    const isBlocked = async ({ accessToken }: NewMacToken) =>
      (await macTokens.stateOf(await found(accessToken))).isBlocked;
    expect(await users.block(token.userId, token.clientId)).toBe(true);
    expect([await isBlocked(token), await isBlocked(other)]).toEqual([true, false]);
    expect(await users.unblock(token.userId, token.clientId)).toBe(true);
    expect(await isBlocked(token)).toBe(false);
    expect(await users.block(unique('nobody'), 'client')).toBe(false);
  });
});

it('a client that is removed is missed by its tokens until it is back', async () => {
  const token = await aToken();
  const { clients, macTokens } = under.store;
  const inHand = await found(token.accessToken);
  expect(await clients.remove(token.clientId)).toBe(true);
  expect(await clients.has(token.clientId)).toBe(false);
  expect((await macTokens.stateOf(inHand)).hasClient).toBe(false);
  await clients.put({ client_id: token.clientId, name: 'Game', developer_id: 'default' });
  expect((await macTokens.stateOf(inHand)).hasClient).toBe(true);
  expect(await clients.get(token.clientId)).toEqual({
    client_id: token.clientId,
    name: 'Game',
    developer_id: 'default',
  });
});

const UNLIMITED = { lifeMs: 60_000, perPeriod: 0 };

describe('a nonce', () => {
  it('is claimed once, whoever asks, and is free again when its time is over', async () => {
    const use = { id: unique('token'), ts: '1', nonce: 'n' };
    const replicas = [under.store, under.open(), under.open()];
    const claims = await Promise.all(replicas.map(({ nonces }) => nonces.claim(use, UNLIMITED)));
    expect(claims.sort()).toEqual(['first', 'used', 'used']);
    const short = { ...use, id: unique('token') };
    // A period of 30 s is added, because the seconds of a set differ by that much.
    expect(await under.store.nonces.claim(short, { ...UNLIMITED, lifeMs: -29_999 })).toBe('first');
    await until(async () => (await under.store.nonces.claim(short, UNLIMITED)) === 'first');
  });

  it('is one of so many that a key may use in a period, and those that were used stay used', async () => {
    const { nonces } = under.store;
    const bounds = { lifeMs: 60_000, perPeriod: 3 };
    const use = (ts: string, nonce: string) => nonces.claim({ id: 'busy', ts, nonce }, bounds);
    expect([await use('60', 'a'), await use('61', 'a'), await use('89', 'b'), await use('75', 'c')]).toEqual([
      ...['first', 'first', 'first', 'too-many'],
    ]);
    expect([await use('60', 'a'), await use('90', 'a')]).toEqual(['used', 'first']);
    expect(await nonces.claim({ id: 'other', ts: '60', nonce: 'a' }, bounds)).toBe('first');
  });

  it('takes a few bytes of Redis', async () => {
    const { nonces } = under.store;
    const id = unique('token');
    for (let n = 0; n < 500; n += 1) await nonces.claim({ id, ts: '60', nonce: `${n}` }, UNLIMITED);
    expect(await under.redis.memory('USAGE', under.keys.nonces(id, 2), 'SAMPLES', 0)).toBeLessThan(12_000);
  });

  it.each([{ id: 'b' }, { ts: '2' }, { nonce: 'm' }])('is another with %j', async (changes) => {
    const use = { id: unique('token'), ts: '1', nonce: 'n' };
    expect(await under.store.nonces.claim(use, UNLIMITED)).toBe('first');
    expect(await under.store.nonces.claim({ ...use, ...changes }, UNLIMITED)).toBe('first');
  });
});

it('failures are counted for the whole fleet, apart for every address and token, and forgotten in time', async () => {
  const who = unique('somebody');
  const add = (store = under.store) => store.failures.add('address', who, 60_000);
  const counts = [await add(), await add(under.open()), await add()];
  expect(counts.map(({ failures }) => failures)).toEqual([1, 2, 3]);
  expect(counts[2]?.resetInMs).toBeGreaterThan(50_000);
  expect((await under.store.failures.add('token', who, 60_000)).failures).toBe(1);
});
