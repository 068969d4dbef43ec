import { redisHarness, unique } from '@pushfleet/testing';
import { storeKeys } from '../store-keys';
import { openRedis, type RedisClient } from '../kit/redis';
import { openPacing, type PacingStore } from './open-pacing';

const harness = redisHarness();
let store: PacingStore;
let redis: RedisClient;
const keys = storeKeys(harness.namespace);

beforeAll(async () => {
  redis = await openRedis({ url: harness.url, patience: 'wait', onError: () => undefined });
  harness.onClose(() => redis.quit());
  store = openPacing({ redis, keys });
});

describe('controls', () => {
  it('hold until they are lifted, each for its own scope', async () => {
    const channel = unique('c');
    const whole = { state: 'paused', since: 1 } as const;
    const part = { state: 'draining', app: 'a', profile: 'p', since: 2 } as const;
    await store.controls.set(channel, part);
    await store.controls.set(channel, whole);
    expect(await store.controls.list(channel)).toEqual([whole, part]);
    expect(await store.controls.lift(channel, { app: 'a' })).toBe(false);
    expect(await store.controls.lift(channel, {})).toBe(true);
    expect(await store.controls.list(channel)).toEqual([part]);
    expect(await store.controls.list(unique('c'))).toEqual([]);
  });

  it('of one scope replace each other', async () => {
    const channel = unique('c');
    await store.controls.set(channel, { state: 'paused', app: 'a', since: 1 });
    await store.controls.set(channel, { state: 'discarding', app: 'a', since: 2 });
    expect(await store.controls.list(channel)).toEqual([{ state: 'discarding', app: 'a', since: 2 }]);
  });

  it.each(['no JSON', '{"state":"who knows","since":1}', '[]'])(
    'one that is damaged holds up what it is about and no other, until it is lifted: %s',
    async (text) => {
      const channel = unique('c');
      const sound = { state: 'discarding', app: 'b', since: 2 } as const;
      await store.controls.set(channel, sound);
      await store.controls.set(channel, { state: 'draining', app: 'a', since: 1 });
      await redis.hset(keys.controls(channel), 'a/', text);
      expect(await store.controls.list(channel)).toEqual([{ state: 'paused', app: 'a', since: 0 }, sound]);
      expect(await store.controls.lift(channel, { app: 'a' })).toBe(true);
      expect(await store.controls.list(channel)).toEqual([sound]);
    },
  );

  it('a drain ends in a pause, unless something else was decided meanwhile', async () => {
    const channel = unique('c');
    const drain = { state: 'draining', app: 'a', profile: 'p', since: 2 } as const;
    await store.controls.set(channel, drain);
    expect(await store.controls.endDrain(channel, { ...drain, since: 1 })).toBe(false);
    const [read = drain] = await store.controls.list(channel);
    expect(await store.controls.endDrain(channel, read)).toBe(true);
    expect(await store.controls.list(channel)).toEqual([{ ...drain, state: 'paused' }]);
    await store.controls.set(channel, { ...drain, state: 'discarding' });
    expect(await store.controls.endDrain(channel, read)).toBe(false);
  });
});

describe('breakers', () => {
  // The second says what a breaker may say, in a text that nobody of the fleet writes.
  const texts = ['no JSON', '{ "state":"closed","faults":2,"firstFaultAt":5}'];
  it.each(texts)('one that is damaged counts as none, and keeps nobody from the others: %s', async (text) => {
    const channel = unique('c');
    const [damaged, sound] = [
      { app: 'a', profile: 'p' },
      { app: 'b', profile: 'p' },
    ];
    const breaker = { state: 'closed', faults: 1, firstFaultAt: 5 } as const;
    const { breakers } = store;
    await breakers.replace(channel, sound, { from: undefined, to: breaker });
    const spoil = () => redis.hset(keys.breakers(channel), 'a/p', text);
    await spoil();
    expect(await breakers.list(channel)).toEqual([{ ...sound, breaker }]);
    await spoil();
    expect(await breakers.read(channel, damaged)).toBeUndefined();
    expect(await breakers.replace(channel, damaged, { from: undefined, to: breaker })).toBe(true);
  });

  it('change only for whoever knows the present state', async () => {
    const channel = unique('c');
    const of = { app: 'a', profile: 'p' };
    const first = { state: 'closed', faults: 1, firstFaultAt: 5 } as const;
    const second = { ...first, faults: 2 };
    const { breakers } = store;
    expect(await breakers.replace(channel, of, { from: undefined, to: first })).toBe(true);
    expect(await breakers.replace(channel, of, { from: undefined, to: second })).toBe(false);
    expect(await breakers.replace(channel, of, { from: first, to: second })).toBe(true);
    expect(await breakers.list(channel)).toEqual([{ ...of, breaker: second }]);
    expect(await breakers.replace(channel, of, { from: second, to: undefined })).toBe(true);
    expect(await breakers.read(channel, of)).toBeUndefined();
  });
});

describe('workers', () => {
  it('have places among the living, in an order that all of them see', async () => {
    const channel = unique('c');
    await store.workers.beat(channel, 'b');
    expect(await store.workers.beat(channel, 'a')).toEqual({ rank: 0, count: 2 });
    expect(await store.workers.beat(channel, 'b')).toEqual({ rank: 1, count: 2 });
    await store.workers.leave(channel, 'a');
    expect(await store.workers.count(channel)).toBe(1);
    expect(await store.workers.count(unique('c'))).toBe(0);
  });
});
