import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AccessToken } from '@pushfleet/domain';
import { memoryTokenStore } from './testing/memory-token-store';
import { openTokenCache, withToken } from './token-cache';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const KEY = 'hms/1';
const { signal } = new AbortController();
const tokensNamed = (): (() => Promise<{ value: string; expiresAt: number }>) => {
  let serial = 0;
  return async () => ({ value: `token-${(serial += 1)}`, expiresAt: Number.MAX_SAFE_INTEGER });
};

test('a refused token is not taken up again by a call that begins while it is being dropped', async () => {
  const store = memoryTokenStore();
  let isDropped = (): void => undefined;
  const dropping = new Promise<void>((resolve) => (isDropped = resolve));
  const slow = {
    ...store,
    async drop(key: string, value: string) {
      await dropping;
      await store.drop(key, value);
    },
  };
  const tokens = openTokenCache(slow, Date.now);
  const fetchToken = tokensNamed();
  const refused: string[] = [];
  const call = async (token: string): Promise<'ok' | 'token-expired'> => {
    if (token !== 'token-1') return 'ok';
    refused.push(token);
    return 'token-expired';
  };
  const first = withToken(tokens, { key: KEY, fetchToken, signal }, call);
  while (refused.length === 0) await new Promise(setImmediate);
  const second = withToken(tokens, { key: KEY, fetchToken, signal }, call);
  await new Promise(setImmediate);
  isDropped();
  expect(await Promise.all([first, second])).toEqual(['ok', 'ok']);
  expect(refused).toEqual(['token-1']);
});

test('a vendor that hands out the refused token again is believed', async () => {
  const tokens = openTokenCache(memoryTokenStore(), Date.now);
  let fetches = 0;
  const fetchToken = async () => {
    fetches += 1;
    return { value: 'same', expiresAt: Number.MAX_SAFE_INTEGER };
  };
  await tokens.get(KEY, fetchToken, signal);
  await tokens.drop(KEY, 'same');
  expect([await tokens.get(KEY, fetchToken, signal), await tokens.get(KEY, fetchToken, signal), fetches]).toEqual([
    'same',
    'same',
    2,
  ]);
});

test('many calls at once fetch one token', async () => {
  const tokens = openTokenCache(memoryTokenStore(), Date.now);
  const fetchToken = tokensNamed();
  const values = await Promise.all(Array.from({ length: 20 }, () => tokens.get(KEY, fetchToken, signal)));
  expect(new Set(values)).toEqual(new Set(['token-1']));
});

test('a call that ends before there is a token ends by itself, and the others get theirs', async () => {
  const tokens = openTokenCache(memoryTokenStore(), Date.now);
  let give = (): void => undefined;
  const fetchToken = (): Promise<AccessToken> =>
    new Promise((resolve) => (give = () => resolve({ value: 'late', expiresAt: Number.MAX_SAFE_INTEGER })));
  const short = new AbortController();
  const [first, second] = [tokens.get(KEY, fetchToken, short.signal), tokens.get(KEY, fetchToken, signal)];
  const refused = first.catch((error: unknown) => error);
  await new Promise(setImmediate);
  short.abort();
  expect(await refused).toMatchObject({ code: 'unreachable' });
  give();
  expect(await second).toBe('late');
});

test('a claim that lapsed is not given back for whoever has it now', async () => {
  const store = memoryTokenStore();
  const mine = await store.claim(KEY, 1);
  await store.release(KEY, 'another');
  expect(await store.claim(KEY, 1)).toBeUndefined();
  await store.release(KEY, mine ?? '');
  expect(await store.claim(KEY, 1)).toBeDefined();
});

test('an expired token is not kept for credentials that nobody sends with any more', async () => {
  let now = 0;
  const nowhere = { ...memoryTokenStore(), read: async () => undefined, write: async () => undefined };
  const tokens = openTokenCache(nowhere, () => now);
  const held: WeakRef<AccessToken>[] = [];
  const fetchToken = async (): Promise<AccessToken> => {
    const token = { value: 'token', expiresAt: now + 1000 };
    held.push(new WeakRef(token));
    return token;
  };
  await tokens.get('gone', fetchToken, signal);
  now = 2000;
  await tokens.get('other', fetchToken, signal);
  await new Promise(setImmediate);
  collectGarbage();
  expect(held.map((token) => token.deref() !== undefined)).toEqual([false, true]);
});

test.each([Infinity, 1e300, Number.MAX_SAFE_INTEGER])(
  'a token that is said to live until %d is kept for thirty days',
  async (expiresAt) => {
    const store = memoryTokenStore();
    const tokens = openTokenCache(store, () => 1000);
    expect(await tokens.get(KEY, async () => ({ value: 'token', expiresAt }), signal)).toBe('token');
    expect(await store.read(KEY)).toEqual({ value: 'token', expiresAt: 1000 + 30 * 86_400_000 });
  },
);
