import { setTimeout as delay } from 'node:timers/promises';
import { ChannelFault } from '@pushfleet/channel-kit';
import { until } from '@pushfleet/testing';
import type { Control } from '@pushfleet/store';
import { workersUnderTest, type WorkerUnderTest } from '../testing/worker-under-test';

const start = workersUnderTest();
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `r${i}`);
/** Resolves when these workers know it, and in another millisecond than what was before or comes after. */
async function decide(workers: readonly WorkerUnderTest[], control: Omit<Control, 'since'>): Promise<void> {
  await nextMillisecond();
  await workers[0]?.store.pacing.controls.set('hms', { ...control, since: Date.now() });
  await nextMillisecond();
  await Promise.all(workers.map((worker) => worker.refresh()));
}

async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  await until(() => Date.now() > now);
}

const lift = async (worker: WorkerUnderTest, scope: Pick<Control, 'app' | 'profile'> = {}): Promise<boolean> =>
  worker.store.pacing.controls.lift('hms', scope);

describe('a paused channel', () => {
  it('sends nothing, keeps its work, and sends it after', async () => {
    const worker = await start();
    const objectIds = await worker.register(ids(20));
    await decide([worker], { state: 'paused' });
    const pushes = [await worker.pushToAll(), ...(await Promise.all(objectIds.map((id) => worker.pushTo([id]))))];
    await delay(1500);
    expect(worker.http.sent).toEqual([]);
    await lift(worker);
    const columns = await Promise.all(pushes.map((pushId) => worker.done(pushId)));
    expect(columns.map(({ accepted }) => accepted)).toEqual([20, ...objectIds.map(() => 1)]);
  });

  it('lets pushes expire, which are booked as that', async () => {
    const worker = await start();
    const objectIds = await worker.register(ids(3));
    await decide([worker], { state: 'paused' });
    const pushes = [await worker.pushToAll({ expiresInMs: 500 }), await worker.pushTo(objectIds, { expiresInMs: 500 })];
    for (const pushId of pushes) expect((await worker.done(pushId)).discarded).toEqual({ expired: 3 });
    expect(worker.http.sent).toEqual([]);
  });

  it('is paused for a worker that starts later', async () => {
    const worker = await start();
    const objectIds = await worker.register(ids(1));
    await decide([worker], { state: 'paused' });
    const later = await start('hms', worker);
    const pushId = await worker.pushTo(objectIds);
    await delay(300);
    expect(later.http.sent).toEqual([]);
    await lift(worker);
    await worker.done(pushId);
  });
});

describe('a draining channel', () => {
  it('sends what was there before, and keeps what comes later until it is resumed', async () => {
    const worker = await start();
    const objectIds = await worker.register(ids(20));
    await decide([worker], { state: 'paused' });
    const before = [await worker.pushToAll(), await worker.pushTo(objectIds)];
    await decide([worker], { state: 'draining' });
    const after = [await worker.pushToAll(), await worker.pushTo(objectIds)];
    for (const pushId of before) expect(await worker.done(pushId)).toMatchObject({ accepted: 20, discarded: {} });
    const sent = worker.http.sent.length;
    await delay(1500);
    expect(worker.http.sent).toHaveLength(sent);
    for (const pushId of after) expect((await worker.record(pushId)).status).toBe('in-queue');
    await lift(worker);
    for (const pushId of after) expect(await worker.done(pushId)).toMatchObject({ accepted: 20 });
  });

  it('books what expires while it waits as expired', async () => {
    const worker = await start();
    await worker.register(ids(2));
    await decide([worker], { state: 'draining' });
    const pushId = await worker.pushToAll({ expiresInMs: 500 });
    expect((await worker.done(pushId)).discarded).toEqual({ expired: 2 });
  });
});

describe('a discarding channel', () => {
  it('books what waits and what comes, without calling the vendor', async () => {
    const worker = await start();
    const objectIds = await worker.register(ids(20));
    await decide([worker], { state: 'paused' });
    const waiting = await worker.pushToAll();
    await decide([worker], { state: 'discarding' });
    const coming = await worker.pushTo(objectIds);
    for (const pushId of [waiting, coming])
      expect((await worker.done(pushId)).discarded).toEqual({ 'channel-unavailable': 20 });
    expect(worker.http.sent).toEqual([]);
    await lift(worker);
    await until(async () => (await worker.done(await worker.pushTo(objectIds))).accepted === 20);
  });

  it('books what its vendor has asked to send later', async () => {
    const worker = await start();
    const objectIds = await worker.register(ids(3));
    worker.beforeCall = () => Promise.reject(new ChannelFault('throttled', '', { retryAfterMs: 3_600_000 }));
    const pushes = [await worker.pushToAll(), await worker.pushTo(objectIds)];
    await until(async () => (await worker.jobs.direct.depth())['delayed'] === 1);
    await decide([worker], { state: 'discarding' });
    for (const pushId of pushes) expect((await worker.done(pushId)).discarded).toEqual({ 'channel-unavailable': 3 });
  });
});

describe('a decision about one app', () => {
  it('leaves the other apps of the channel alone', async () => {
    const paused = await start();
    const served = await start('hms', paused);
    await Promise.all([paused.register(ids(5)), served.register(ids(5))]);
    await decide([paused, served], { state: 'paused', app: paused.app.id, profile: '_default' });
    const waiting = await paused.pushToAll();
    expect(await served.done(await served.pushToAll())).toMatchObject({ accepted: 5 });
    expect((await paused.record(waiting)).status).toBe('in-queue');
    await lift(paused, { app: paused.app.id, profile: '_default' });
    expect(await paused.done(waiting)).toMatchObject({ accepted: 5 });
  });
});
