import { mastersOf, until } from '@pushfleet/testing';
import { openStore, type Store } from '../open-store';
import { RedisFull } from '../kit/redis-away';
import { ownRedis } from '../testing/own-redis';
import { VENDORS } from '../testing/store-under-test';
import type { PreflightQuestion } from './question';

const own = ownRedis();

const open = (namespace: string): Store => openStore({ redis: own.redis, namespace, vendors: VENDORS });

const question = (id: string): PreflightQuestion => ({
  ...{ id, app: 'app', ways: {}, isExact: true, until: 0, frame: {} },
  push: { content: { data: {}, sections: {} }, audience: {}, pushTime: 0, expiresAt: 0 },
});

it('takes a hundred questions that wait, and the next one when one was taken', async () => {
  const { preflights } = open('bounded');
  for (let n = 0; n < 100; n += 1) expect(await preflights.ask(question(`q${n}`))).toBe(true);
  expect(await preflights.ask(question('beyond'))).toBe(false);
  expect(await preflights.state('beyond')).toBeUndefined();
  const taken: string[] = [];
  const stop = preflights.listen({
    onQuestion: ({ id }) => new Promise(() => void taken.push(id)),
    onError: () => undefined,
  });
  await until(() => taken.length > 0);
  expect(await preflights.ask(question('next'))).toBe(true);
  stop();
});

it('takes none where the memory of Redis has no room for a push', async () => {
  const masters = mastersOf(own.redis);
  const used = Number(/used_memory:(\d+)/.exec((await masters[0]?.info('memory')) ?? '')?.[1]);
  await masters[0]?.config('SET', 'maxmemory', String(Math.round(used / 0.9)));
  const { preflights } = open('full');
  await expect(preflights.ask(question('q'))).rejects.toThrow(RedisFull);
  await masters[0]?.config('SET', 'maxmemory', '0');
  expect(await preflights.state('q')).toBeUndefined();
});
