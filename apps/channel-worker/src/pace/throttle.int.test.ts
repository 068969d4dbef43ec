import { setTimeout as delay } from 'node:timers/promises';
import { ChannelFault } from '@pushfleet/channel-kit';
import { Books } from '@pushfleet/store';
import { until } from '@pushfleet/testing';
import { sendPages } from '../send-pages';
import { workersUnderTest } from '../testing/worker-under-test';
import { walkLane } from '../walk-lane';

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

describe('a quota that is spent until the end of the day', () => {
  const MINUTE_MS = 60_000;
  const DAY_MS = 86_400_000;

  /** A worker whose vendor refuses every call, and a push that no job is there for. */
  async function spent() {
    const worker = await start('mi');
    const [first = ''] = await worker.register(['r1']);
    const refused: string[] = [];
    worker.beforeCall = async ({ url }) => {
      refused.push(url);
      throw new ChannelFault('quota-exceeded', 'the day is over', { retryAfterMs: DAY_MS });
    };
    const pushId = await worker.accept({ expiresInMs: DAY_MS });
    const plan = async (parts: Partial<Parameters<typeof worker.ports.store.ledger.plan>[0]>): Promise<void> =>
      void (await worker.ports.store.ledger.plan({
        ...{ pushId, lanes: [], pages: [], books: [], now: Date.now() },
        ...parts,
      }));
    return { worker, first, refused, pushId, plan };
  }

  it('is asked for again within a minute by the campaign that met it', async () => {
    const { worker, pushId, plan, refused } = await spent();
    const lane = {
      id: 1,
      channel: 'mi',
      profile: '_default',
      bucket: 'mi/_default',
      fromShard: 0,
      toShard: 256,
    } as const;
    await plan({ lanes: [lane] });
    const result = await walkLane(worker.ports, worker.held({ pushId, lane: 1 }));
    expect(refused).toHaveLength(1);
    if (result === 'done') throw new Error('nothing is left of the campaign');
    expect(result.again).toBeLessThanOrEqual(MINUTE_MS);
  });

  it('is asked for again within a minute by a message that met it, unless another has asked just now', async () => {
    const { worker, first, pushId, plan, refused } = await spent();
    const page = { channel: 'mi', profile: '_default', dueAt: 0, tries: 0, direct: true };
    const [books] = [new Books('mi')];
    books.add('outstanding', 2);
    await plan({ pages: [1, 2].map(() => ({ ...page, devices: [[first, 'r1']] as const })), books: [books] });
    const send = (number: number, now = Date.now): Promise<unknown> =>
      sendPages({ ...worker.ports, now }, worker.held({ pages: [{ pushId, page: number }] }));
    for (const number of [1, 2]) expect(await send(number)).toBe('done');
    expect(refused).toHaveLength(2);
    const again = [3, 4];
    for (const number of again) {
      const found = await worker.ports.store.pushes.withPage(pushId, number);
      expect((found?.page?.dueAt ?? Infinity) - Date.now()).toBeLessThanOrEqual(MINUTE_MS);
    }
    expect(await send(3, () => Date.now() + MINUTE_MS)).toEqual({ again: expect.any(Number) });
    expect(refused).toHaveLength(2);
  });
});
