import { setTimeout as delay } from 'node:timers/promises';
import { ChannelFault } from '@pushfleet/channel-kit';
import { until } from '@pushfleet/testing';
import { FIRST_CALLS } from './pace/call-limit';
import { workersUnderTest, type WorkerUnderTest } from './testing/worker-under-test';

const start = workersUnderTest();
const CALL_DEVICES = 100;
const CALLS = 120;
const CEILING = 48;

interface Watched {
  readonly worker: WorkerUnderTest;
  readonly most: () => number;
}

/** A vendor of 100 devices a call that takes a while, and refuses more calls at once than it has places for. */
async function vendorOf(places: number): Promise<Watched> {
  const worker = await start('mz', undefined, CEILING);
  await worker.register(Array.from({ length: CALLS * CALL_DEVICES }, (_, i) => `r${i}`));
  let [underWay, most] = [0, 0];
  worker.beforeCall = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    if (underWay <= places) return;
    underWay -= 1;
    throw new ChannelFault('throttled', 'HTTP 429');
  };
  worker.afterCall = async () => {
    await delay(150);
    underWay -= 1;
  };
  return { worker, most: () => most };
}

const expectOnce = (worker: WorkerUnderTest, pushId: string): void => {
  const sent = worker.sent(pushId);
  expect([sent.length, new Set(sent).size]).toEqual([CALLS * CALL_DEVICES, CALLS * CALL_DEVICES]);
};

it('a vendor that takes its time gets more calls at once than a profile begins with, and operators are told', async () => {
  const { worker, most } = await vendorOf(Infinity);
  const { callLimits } = worker.store.pacing;
  const pushId = await worker.pushToAll({ lanes: 8 });
  const told = await until(
    async () => {
      const [limit] = await callLimits.list('mz', Date.now());
      return limit?.latencyMs === undefined ? undefined : limit;
    },
    { timeoutMs: 30_000 },
  );
  expect(await worker.done(pushId, 60_000)).toMatchObject({ accepted: CALLS * CALL_DEVICES });
  expectOnce(worker, pushId);
  expect(told).toMatchObject({ app: worker.app.id, queue: 'bulk' });
  expect(told?.latencyMs).toBeGreaterThanOrEqual(150);
  expect(most()).toBeGreaterThan(FIRST_CALLS);
  expect(most()).toBeLessThanOrEqual(CEILING);
});

it('a vendor that refuses calls beyond its places still takes every device once', async () => {
  const { worker, most } = await vendorOf(20);
  const pushId = await worker.pushToAll({ lanes: 8, expiresInMs: 120_000 });
  expect(await worker.done(pushId, 60_000)).toMatchObject({ accepted: CALLS * CALL_DEVICES });
  expectOnce(worker, pushId);
  expect(most()).toBeLessThanOrEqual(2 * FIRST_CALLS);
});
