import { setTimeout as delay } from 'node:timers/promises';
import { ChannelFault } from '@pushfleet/channel-kit';
import { until } from '@pushfleet/testing';
import { workersUnderTest } from '../testing/worker-under-test';

const start = workersUnderTest();
const PUSHES = 15;
const LANES = 2;

it('a campaign whose vendor asks to wait is tried by one call at a time, and messages are tried for themselves', async () => {
  const worker = await start('mz');
  const [first = ''] = await worker.register(Array.from({ length: 40 }, (_, i) => `r${i}`));
  let isOver = false;
  const calls = { message: 0, campaign: 0, underWay: 0, mostAtOnce: 0 };
  worker.beforeCall = async ({ body = '' }) => {
    const kind = body.includes('Now') ? 'message' : 'campaign';
    calls[kind] += 1;
    if (kind === 'campaign') calls.mostAtOnce = Math.max(calls.mostAtOnce, (calls.underWay += 1));
    await delay(20);
    if (kind === 'campaign') calls.underWay -= 1;
    if (!isOver) throw new ChannelFault('throttled', 'HTTP 429');
  };
  const pushes = [];
  for (let i = 0; i < PUSHES; i += 1) pushes.push(await worker.pushToAll({ lanes: LANES }));
  await until(() => calls.campaign > 0);
  await worker.rests();
  calls.mostAtOnce = 0;
  const message = await worker.pushTo([first], { alert: 'Now' });
  await until(() => calls.message > 0);
  await delay(1500);
  expect(calls.campaign).toBeLessThan(PUSHES * LANES);
  expect(calls.mostAtOnce).toBeLessThanOrEqual(1);
  isOver = true;
  for (const pushId of pushes) expect(await worker.done(pushId)).toMatchObject({ accepted: 40 });
  expect(await worker.done(message)).toMatchObject({ accepted: 1 });
});

it('a campaign that expires while a spent quota is waited out is booked as that, whether a page was tried or not', async () => {
  const worker = await start('mz');
  await worker.register(Array.from({ length: 40 }, (_, i) => `r${i}`));
  worker.beforeCall = () => {
    throw new ChannelFault('quota-exceeded', 'the day is over', { retryAfterMs: 3_600_000 });
  };
  const pushes = [];
  for (let i = 0; i < 5; i += 1) pushes.push(await worker.pushToAll({ lanes: LANES, expiresInMs: 5000 }));
  for (const pushId of pushes) expect((await worker.done(pushId)).discarded).toEqual({ 'quota-exceeded': 40 });
});
