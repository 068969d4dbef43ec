import { setTimeout as delay } from 'node:timers/promises';
import { channelOfVendor } from '@pushfleet/channels';
import { openRedis, openStore } from '@pushfleet/store';
import { redisHarness, SECRET_KEY, unique, until } from '@pushfleet/testing';
import { Rates } from './rates';

const harness = redisHarness();

async function aWorker(): Promise<Rates> {
  const redis = await openRedis({ url: harness.url, patience: 'wait', onError: () => undefined });
  harness.onClose(() => redis.disconnect());
  const store = openStore({ redis, namespace: harness.namespace, secretKey: SECRET_KEY, vendors: channelOfVendor });
  return new Rates(store.pacing.leases);
}

test('a channel with large pages is not kept out by one with small pages, however long it is told to wait', async () => {
  const pushId = unique('push');
  const taken = { mi: 0, vivo: 0 };
  const controller = new AbortController();
  const takeOn = async (rates: Rates, channel: 'mi' | 'vivo', cost: number): Promise<void> => {
    const rate = { kind: 'push', pushId, channel } as const;
    while (!controller.signal.aborted) {
      const waitMs = await rates.take({ rate, perSecond: 1000, queue: 'bulk', cost, waiter: channel });
      if (waitMs === 0) taken[channel] += 1;
      else await delay(waitMs);
    }
  };
  const small = takeOn(await aWorker(), 'vivo', 20);
  await until(() => taken.vivo > 5);
  const large = takeOn(await aWorker(), 'mi', 1000);
  await until(() => taken.mi === 3);
  controller.abort();
  await Promise.all([small, large]);
});
