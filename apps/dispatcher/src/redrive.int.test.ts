import { bulkQueue, directQueue, PUSH_REQUESTS, PUSH_SCHEDULE } from '@pushfleet/queues';
import { Books, planDirect } from '@pushfleet/store';
import { unique } from '@pushfleet/testing';
import { dispatchEnvelope } from './dispatch';
import { redriveOnce } from './redrive';
import { dispatcherUnderTest } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

/** A round that leaves no push alone, however young. */
const redrive = () => redriveOnce(t.ports, -60_000);

async function pushTo(kind: 'everybody' | 'one', changes = {}) {
  const app = await t.createApp();
  const [objectId = ''] = await t.register(app, [{ vendor: 'HMS', registrationId: unique('r') }]);
  const addressed = { field: 'objectId' as const, values: [objectId] };
  const pushId = await t.accept(app, { ...(kind === 'one' ? { audience: { addressed } } : {}), ...changes });
  return { app, objectId, pushId };
}
const dispatch = (...pushIds: readonly string[]) => dispatchEnvelope(t.ports, unique('e'), pushIds);
const bulk = () => t.jobsIn(bulkQueue('hms'));
const direct = () => t.jobsIn(directQueue('hms'));

test('a push that was accepted and has no job is given one, once', async () => {
  const { pushId } = await pushTo('everybody');
  await redrive();
  await redrive();
  expect([await t.job(PUSH_REQUESTS, pushId), await t.jobsIn(PUSH_REQUESTS)]).toEqual([{ pushIds: [pushId] }, 1]);
});

test('a push that was planned when it came and has no job is given one, once', async () => {
  const { objectId, app } = await pushTo('one');
  const found = { bucket: 'hms/_default', installation: { objectId, registrationId: 'r' } };
  const plan = planDirect(() => ({ channel: 'hms', profile: '_default' }), [found]);
  const { pages } = plan;
  await t.accept(app, { plan: { ...plan, pages: pages.map((page) => ({ ...page, envelope: unique('e') })) } });
  await t.lose(PUSH_REQUESTS);
  await redrive();
  await redrive();
  expect(await direct()).toBe(1);
});

describe('a push whose envelope still waits', () => {
  async function inOneEnvelope(): Promise<void> {
    const pushIds = [(await pushTo('one')).pushId, (await pushTo('everybody')).pushId];
    await t.ports.requests.add([{ id: unique('e'), data: { pushIds } }]);
  }

  test('is given no second job until that is lost', async () => {
    await inOneEnvelope();
    await redrive();
    expect(await t.jobsIn(PUSH_REQUESTS)).toBe(1);
    await t.lose(PUSH_REQUESTS);
    await redrive();
    expect(await t.jobsIn(PUSH_REQUESTS)).toBe(2);
  });

  test('is given one after minutes all the same', async () => {
    await inOneEnvelope();
    await redriveOnce({ ...t.ports, now: () => Date.now() + 310_000 }, 0);
    expect(await t.jobsIn(PUSH_REQUESTS)).toBe(3);
  });
});

test('a scheduled push is given a job for its time', async () => {
  const { pushId } = await pushTo('everybody', { isScheduled: true, pushTime: Date.now() + 600_000 });
  await redrive();
  expect([await t.job(PUSH_SCHEDULE, pushId), await t.jobsIn(PUSH_REQUESTS)]).toEqual([{ pushIds: [pushId] }, 0]);
  expect(await t.ports.schedule.depth()).toMatchObject({ delayed: 1 });
});

test('a lane whose job was lost is given it again, and one whose job lives no second', async () => {
  const { pushId } = await pushTo('everybody');
  await dispatch(pushId);
  await redrive();
  expect(await bulk()).toBe(1);
  await t.lose(bulkQueue('hms'));
  await redrive();
  expect([await t.job(bulkQueue('hms'), `${pushId}-hms-1`), await bulk()]).toEqual([{ pushId, lane: 1 }, 1]);
});

test('an addressed page whose envelope was lost is given a job of its own, and one that is under way none', async () => {
  const [one, two] = [await pushTo('one'), await pushTo('one')];
  await dispatch(one.pushId, two.pushId);
  await redrive();
  expect(await direct()).toBe(1);
  await t.lose(directQueue('hms'));
  await redrive();
  await redrive();
  const jobs = await Promise.all([one, two].map(({ pushId }) => t.job(directQueue('hms'), `${pushId}-hms-p1`)));
  expect(jobs).toEqual([one, two].map(({ pushId }) => ({ pages: [{ pushId, page: 1 }] })));
  expect(await direct()).toBe(2);
});

test.each(['one', 'everybody'] as const)(
  'a retry page of a push to %s whose job was lost is due as before',
  async (kind) => {
    const { pushId, objectId } = await pushTo(kind);
    await dispatch(pushId);
    const books = new Books('hms');
    const from = { shard: 0, objectId: '' };
    const part = kind === 'one' ? { page: 1 } : { lane: 1, from, to: 'done' as const };
    const channel = { channel: 'hms', profile: '_default' };
    const retry = {
      ...channel,
      devices: [[objectId] as const],
      dueAt: Date.now() + 60_000,
      tries: 1,
      direct: kind === 'one',
    };
    const { retryPages } = await t.store.ledger.fold({ pushId, part, books, retries: [retry], now: Date.now() });
    const [retryPage = 0] = retryPages;
    const queue = kind === 'one' ? directQueue('hms') : bulkQueue('hms');
    await t.lose(queue);
    await redrive();
    await redrive();
    expect(await t.job(queue, `${pushId}-hms-p${retryPage}`)).toEqual({ pages: [{ pushId, page: retryPage }] });
    const producer = kind === 'one' ? t.ports.queues.direct('hms') : t.ports.queues.bulk('hms');
    expect(await producer.depth()).toMatchObject({ waiting: 0, delayed: 1 });
  },
);

test('what a cancelled push has waiting is looked at now, although whoever cancelled it died before saying so', async () => {
  const { pushId, objectId } = await pushTo('everybody');
  await dispatch(pushId);
  const part = { lane: 1, from: { shard: 0, objectId: '' }, to: 'done' as const };
  const page = { channel: 'hms', profile: '_default', devices: [[objectId] as const], tries: 1, direct: false };
  const retry = { ...page, dueAt: Date.now() + 60_000 };
  await t.store.ledger.fold({ pushId, part, books: new Books('hms'), retries: [retry], now: Date.now() });
  await t.lose(bulkQueue('hms'));
  await redrive();
  expect(await t.ports.queues.bulk('hms').depth()).toMatchObject({ waiting: 0, delayed: 1 });
  await t.store.pushes.cancel(pushId, Date.now());
  await redrive();
  await redrive();
  expect(await t.ports.queues.bulk('hms').depth()).toMatchObject({ waiting: 1, delayed: 1 });
});

test('a push that was looked at a moment ago is left alone', async () => {
  await pushTo('everybody');
  await redrive();
  expect(await redriveOnce(t.ports, 10_000)).toBe(0);
});

test('a push that is done is not looked at', async () => {
  const { pushId } = await pushTo('one');
  await dispatch(pushId);
  await t.store.ledger.fold({ pushId, part: { page: 1 }, books: new Books('hms'), now: Date.now() });
  await t.lose(directQueue('hms'));
  await redrive();
  expect(await direct()).toBe(0);
});

test('a push that cannot be repaired is reported and does not stand in the way of others', async () => {
  const broken = await pushTo('everybody');
  const good = await pushTo('everybody');
  await dispatch(broken.pushId);
  // Of another type than any ledger: Redis refuses every command on it.
  await t.redis.set(t.ledgerKey(broken.pushId), 'x');
  await redrive();
  expect(await t.job(PUSH_REQUESTS, good.pushId)).toBeDefined();
  expect(t.failures).toEqual([expect.stringContaining(broken.pushId)]);
  expect(await redriveOnce(t.ports, 10_000)).toBe(0);
});

describe('a push that cannot be read', () => {
  test.each(['push', 'audience'])('because of its %s is closed as an error, once', async (field) => {
    const { pushId, app } = await pushTo('everybody');
    await t.spoil(pushId, field);
    await redrive();
    await redrive();
    expect([t.givenUp, t.failures]).toEqual([[pushId], []]);
    expect(await t.record(pushId)).toMatchObject({ app: app.id, status: 'error' });
    expect(await redriveOnce(t.ports, -60_000)).toBe(0);
  });

  test('because of its plan leaves no device outstanding', async () => {
    const { pushId } = await pushTo('one');
    await dispatch(pushId);
    expect((await t.record(pushId)).channels).toMatchObject({ hms: { matched: 1, outstanding: 1 } });
    await t.redis.hset(t.ledgerKey(pushId), 'page|1', '{');
    await redrive();
    const { status, channels, errors } = await t.record(pushId);
    expect([status, t.givenUp]).toEqual(['error', [pushId]]);
    expect(channels['hms']).toMatchObject({ matched: 1, outstanding: 0, failed: { 'internal-error': 1 } });
    expect(errors).toMatchObject([{ channel: 'hms', reason: 'internal-error', count: 1 }]);
    expect(await t.store.audit.look(pushId)).toMatchObject({ state: 'done', addsUp: true, work: [] });
  });
});
