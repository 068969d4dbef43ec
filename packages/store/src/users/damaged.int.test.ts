import { unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

const aUser = (user_id: string) => ({ user_id, name: 'n', avatar: '', gender: 0 as const, is_guest: false });
const aClient = (client_id: string) => ({ client_id, name: 'n', developer_id: 'default' });

async function aUserWithToken() {
  const [userId, clientId, accessToken] = [unique('u'), unique('c'), unique('token')];
  await t.store.users.put(aUser(userId));
  await t.store.clients.put(aClient(clientId));
  const token = { userId, clientId, accessToken, macKey: unique('mac-key'), macAlgorithm: 'hmac-sha-1' } as const;
  await t.store.macTokens.add(token);
  return token;
}

const stored = async (accessToken: string) => {
  const token = await t.store.macTokens.find(accessToken);
  if (!token) throw new Error('the token is not known');
  return token;
};

describe.each(['no JSON', '[]', '5'])('a record that says %s', (text) => {
  it('of a user keeps nobody from the other users, and is named to who asks for it', async () => {
    const [damaged, other] = [await aUserWithToken(), await aUserWithToken()];
    const token = await stored(damaged.accessToken);
    await t.redis.hset(t.keys.user(damaged.userId), 'profile', text);
    const listed = await t.store.users.list();
    expect(listed.unreadable).toEqual([damaged.userId]);
    expect(listed.results).toContainEqual(aUser(other.userId));
    await expect(t.store.users.get(damaged.userId)).rejects.toThrow(`the user "${damaged.userId}"`);
    await expect(t.store.macTokens.stateOf(token)).rejects.toThrow(`the user "${damaged.userId}"`);
    await t.store.users.put(aUser(damaged.userId));
    expect((await t.store.macTokens.stateOf(token)).isCurrent).toBe(true);
  });

  it('of a client keeps nobody from the other clients, and is named to who asks for it', async () => {
    const [damaged, other] = [await aUserWithToken(), await aUserWithToken()];
    const token = await stored(damaged.accessToken);
    await t.redis.set(t.keys.client(damaged.clientId), text);
    const listed = await t.store.clients.list();
    expect(listed.unreadable).toEqual([damaged.clientId]);
    expect(listed.results).toContainEqual(aClient(other.clientId));
    await expect(t.store.clients.get(damaged.clientId)).rejects.toThrow(`the client "${damaged.clientId}"`);
    await expect(t.store.macTokens.stateOf(token)).rejects.toThrow(`the client "${damaged.clientId}"`);
    expect(await t.store.clients.remove(damaged.clientId)).toBe(true);
  });

  it('of a token counts as unknown, and keeps nobody from the other tokens of its user', async () => {
    const damaged = await aUserWithToken();
    const other = { ...damaged, accessToken: unique('token') };
    await t.store.macTokens.add(other);
    const { id } = await stored(damaged.accessToken);
    await t.redis.set(t.keys.macToken(id), text);
    expect(await t.store.macTokens.find(damaged.accessToken)).toBeUndefined();
    expect((await t.store.macTokens.list(damaged.userId)).results).toHaveLength(1);
    expect(await t.store.macTokens.add(damaged)).toBe('added');
    expect((await t.store.macTokens.list(damaged.userId)).results).toHaveLength(2);
  });
});
