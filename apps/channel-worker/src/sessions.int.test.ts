import { openTokenCache, type VendorChannel, type VendorHttp } from '@pushfleet/channel-kit';
import { channelOfVendor, channels } from '@pushfleet/channels';
import { openRedis, openStore, type AppProfile, type Store } from '@pushfleet/store';
import { anApp, fakeClock, redisHarness, SECRET_KEY } from '@pushfleet/testing';
import { openSessions } from './sessions';

const harness = redisHarness();
const fail = (error: unknown): never => {
  throw error;
};
let store: Store;

beforeAll(async () => {
  const redis = await openRedis({ url: harness.url, patience: 'wait', onError: fail });
  harness.onClose(() => redis.quit());
  store = openStore({ redis, namespace: harness.namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
});

const nobody: VendorHttp = { request: () => fail(new Error('no call is made')), close: async () => undefined };
const CREDENTIALS = { appId: '1', packageName: 'com.example', appSecret: 'secret' };
const DAY_MS = 86_400_000;

test('a session that was not used for a day is let go when another is opened, and no other', async () => {
  const clock = fakeClock();
  const tokens = openTokenCache(store.tokens, clock.now);
  const deps = { http: nobody, tokens, now: clock.now, origins: channels.mi.endpoints };
  const opened: string[] = [];
  const mi: VendorChannel = { ...channels.mi, open: (...args) => (opened.push('mi'), channels.mi.open(...args)) };
  const sessions = openSessions(mi, store.profiles, deps);
  const aProfile = async (): Promise<AppProfile> => {
    const one = { app: anApp().id, profile: 'game' };
    await store.profiles.put({ ...one, channel: 'mi' }, { value: CREDENTIALS, receiptKey: 'k' });
    return one;
  };
  const [idle, used, other] = [await aProfile(), await aProfile(), await aProfile()];
  const idleSession = await sessions.get(idle);
  const usedSession = await sessions.get(used);
  clock.advance(DAY_MS);
  expect(await sessions.get(used)).toBe(usedSession);
  clock.advance(1);
  await sessions.get(other);
  expect(await sessions.get(used)).toBe(usedSession);
  expect(opened).toHaveLength(3);
  const again = await sessions.get(idle);
  expect(again).toBeDefined();
  expect(again).not.toBe(idleSession);
  expect(opened).toHaveLength(4);
});

test('credentials that were changed are used although the clock was set back meanwhile', async () => {
  const clock = fakeClock();
  const deps = { http: nobody, tokens: openTokenCache(store.tokens, clock.now), now: clock.now, origins: {} };
  const sessions = openSessions(channels.mi, store.profiles, deps);
  const of = { app: anApp().id, profile: 'game' };
  await store.profiles.put({ ...of, channel: 'mi' }, { value: CREDENTIALS, receiptKey: 'before' });
  expect(await sessions.get(of)).toMatchObject({ receiptKey: 'before' });
  await store.profiles.put({ ...of, channel: 'mi' }, { value: CREDENTIALS, receiptKey: 'after' });
  expect(await sessions.get(of)).toMatchObject({ receiptKey: 'before' });
  clock.advance(-3_600_000);
  expect(await sessions.get(of)).toMatchObject({ receiptKey: 'after' });
});
