import { PAGE_DEVICES, imbalanceOf, type Audience } from '@pushfleet/domain';
import { bulkQueue, directQueue, PUSH_REQUESTS, PUSH_SCHEDULE, type JobRun } from '@pushfleet/queues';
import { outcomeCounts, recordedCounts, unique, until } from '@pushfleet/testing';
import { openConsumers } from './consumers';
import { dispatchEnvelope } from './dispatch';
import { dispatcherUnderTest, fail } from './testing/dispatcher-under-test';

const t = dispatcherUnderTest();

const vendorDevice = (vendor: string) => ({ vendor, registrationId: unique('r') });
const many = <T>(count: number, make: () => T): readonly T[] => Array.from({ length: count }, make);
const addressed = (values: readonly string[]) => ({ audience: { addressed: { field: 'objectId' as const, values } } });

describe('an audience push', () => {
  test('becomes lanes on the bulk queues of the channels that have devices, and nothing else', async () => {
    const app = await t.createApp();
    await t.register(app, [...many(3, () => vendorDevice('HMS')), vendorDevice('mi')]);
    const pushId = await t.accept(app);
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    const { lanes } = await t.store.ledger.openParts(pushId);
    expect(lanes.map(({ channel }) => channel).sort()).toEqual(['hms', 'mi']);
    const { id: lane } = lanes.find(({ channel }) => channel === 'hms') ?? { id: 0 };
    expect(await t.job(bulkQueue('hms'), `${pushId}-hms-${lane}`)).toEqual({ pushId, lane });
    const jobs = await Promise.all(['hms', 'mi', 'mz', 'own'].map((channel) => t.jobsIn(bulkQueue(channel))));
    expect([jobs, await t.jobsIn(directQueue('hms'))]).toEqual([[1, 1, 0, 0], 0]);
    const { status, channels } = await t.record(pushId);
    expect([status, channels['hms']?.expected, channels['mi']?.expected]).toEqual(['in-queue', 3, 1]);
  });

  test('books at once who cannot be reached, with the reason and samples, and is done when nobody is left', async () => {
    const app = await t.createApp(['hms']);
    const gone = vendorDevice('HMS');
    const [goneId = ''] = await t.register(app, [gone]);
    await t.store.installations.retire(app.id, { objectId: goneId, ...gone });
    await t.register(app, [
      ...many(25, () => vendorDevice('oppo')),
      { vendor: 'HMS' },
      { vendor: 'HMS', registrationId: unique('r'), deviceProfile: 'other' },
      { vendor: 'fcm' },
      { deviceType: 'ios' },
      {},
    ]);
    const pushId = await t.accept(app);
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    const { status, channels, errors, warnings } = await t.record(pushId);
    expect(status).toBe('done');
    expect(warnings).toEqual(
      expect.arrayContaining([
        { channel: 'oppo', message: 'there is no profile "_default"', count: 25 },
        { channel: 'hms', message: expect.stringMatching(/^there is no profile "other"$|never had$/), count: 1 },
      ]),
    );
    expect(Object.fromEntries(Object.entries(channels).map(([name, books]) => [name, books.discarded]))).toEqual({
      oppo: { 'profile-missing': 25 },
      unregistered: { 'registration-missing': 1 },
      hms: { 'profile-missing': 1, 'registration-gone': 1 },
      unknown: { 'vendor-unknown': 1 },
      ios: { 'platform-unsupported': 1 },
      own: { 'channel-unavailable': 1 },
    });
    expect(Object.values(channels).map(imbalanceOf)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(errors.find(({ channel }) => channel === 'oppo')).toMatchObject({ count: 25, action: 'fix-config' });
    expect(errors.find(({ channel }) => channel === 'oppo')?.samples).toHaveLength(20);
    expect(errors.find(({ reason }) => reason === 'registration-gone')?.samples).toEqual([goneId]);
    const { rows, isComplete } = await t.store.outcomes.page({ pushIds: [pushId], filter: {}, limit: 100 });
    expect(new Set(rows.map((row) => 'objectId' in row && row.objectId)).size).toBe(31);
    expect([isComplete, outcomeCounts(rows)]).toEqual([true, recordedCounts(channels)]);
  });

  test('walks to find whom a condition means before it books them, on the queue of a worker that exists', async () => {
    const app = await t.createApp(['hms']);
    await t.register(app, [{ vendor: 'fcm', level: 7 }, { vendor: 'fcm' }]);
    const pushId = await t.accept(app, { audience: { predicate: { level: 7 } } });
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    expect(await t.job(bulkQueue('own'), `${pushId}-own-1`)).toEqual({ pushId, lane: 1 });
    expect((await t.store.ledger.lane(pushId, 1))?.lane.discard).toBe('vendor-unknown');
    expect((await t.record(pushId)).channels['unknown']).toMatchObject({ expected: 1 + 1, matched: 0 });
  });

  test('reads no bucket whose name tells that nobody in it is meant, and is done when none is left', async () => {
    const app = await t.createApp();
    await t.register(app, [vendorDevice('HMS'), vendorDevice('mi'), vendorDevice('mi'), {}]);
    const audiences: readonly Audience[] = [
      { predicate: { vendor: 'mi', city: 'x' } },
      { predicate: { vendor: { $in: ['HMS', 'lc'] } } },
      { predicate: { vendor: 'nobody' } },
      { predicate: { deviceType: 'ios' } },
    ];
    const pushes = await Promise.all(audiences.map((audience) => t.accept(app, { audience })));
    await dispatchEnvelope(t.ports, unique('e'), pushes);
    const buckets = async (pushId: string) =>
      (await t.store.ledger.openParts(pushId)).lanes.map(({ bucket }) => bucket).sort();
    expect(await Promise.all(pushes.map(buckets))).toEqual([['mi/_default'], ['hms/_default', 'own'], [], []]);
    expect(await t.record(pushes[0] ?? '')).toMatchObject({
      channels: { mi: { expected: 2 } },
    });
    for (const pushId of pushes.slice(2))
      expect(await t.record(pushId)).toMatchObject({
        status: 'done',
        channels: {},
      });
  });

  test('by channels counts subscribers only', async () => {
    const app = await t.createApp();
    await t.register(app, [{ ...vendorDevice('HMS'), channels: ['a'] }, vendorDevice('HMS')]);
    const pushId = await t.accept(app, { audience: { subscriptions: ['a'] } });
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    expect((await t.record(pushId)).channels['hms']?.expected).toBe(1);
  });
});

describe('addressed pushes', () => {
  test('of one envelope make one direct job per channel, no page larger than the books take', async () => {
    const app = await t.createApp();
    const mz = await t.register(
      app,
      many(PAGE_DEVICES + 50, () => vendorDevice('mz')),
    );
    const hms = await t.register(app, [vendorDevice('HMS')]);
    const first = await t.accept(app, addressed([...mz, ...hms, 'unknown']));
    const second = await t.accept(app, addressed(hms));
    const envelope = unique('e');
    await dispatchEnvelope(t.ports, envelope, [first, second]);
    const pages = (await t.store.ledger.openParts(first)).pages;
    expect(pages.map(([, { channel, devices }]) => [channel, devices.length])).toEqual([
      ['mz', PAGE_DEVICES],
      ['mz', 50],
      ['hms', 1],
    ]);
    expect(await t.job(directQueue('mz'), `${envelope}-mz`)).toEqual({
      pages: [
        { pushId: first, page: 1 },
        { pushId: first, page: 2 },
      ],
      envelope,
    });
    expect(await t.job(directQueue('hms'), `${envelope}-hms`)).toEqual({
      pages: [
        { pushId: first, page: 3 },
        { pushId: second, page: 1 },
      ],
      envelope,
    });
    expect((await t.record(first)).channels['mz']).toMatchObject({
      ...{ expected: 1050, matched: 1050, outstanding: 1050 },
    });
  });

  test('reach only those that the rest of the condition holds for', async () => {
    const app = await t.createApp();
    const ids = await t.register(app, [{ ...vendorDevice('HMS'), level: 7 }, vendorDevice('HMS')]);
    const pushId = await t.accept(app, { audience: { ...addressed(ids).audience, predicate: { level: 7 } } });
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    expect((await t.record(pushId)).channels['hms']).toMatchObject({ matched: 1, outstanding: 1 });
  });

  test('do not wait for an audience of their envelope that has to wait for its turn', async () => {
    const app = await t.createApp();
    const [device = ''] = await t.register(app, [vendorDevice('HMS')]);
    const [everybody, named] = [await t.accept(app), await t.accept(app, addressed([device]))];
    let beginTurn = (): void => undefined;
    const turn = new Promise<void>((resolve) => (beginTurn = resolve));
    const turns = { run: async <T>(_: string, work: () => Promise<T>): Promise<T> => turn.then(work) };
    const envelope = unique('e');
    const dispatched = dispatchEnvelope({ ...t.ports, turns }, envelope, [everybody, named]);
    const job = await until(() => t.job(directQueue('hms'), `${envelope}-hms`));
    expect(job).toEqual({ pages: [{ pushId: named, page: 1 }], envelope });
    expect(await t.jobsIn(bulkQueue('hms'))).toBe(0);
    beginTurn();
    expect(await dispatched).toEqual([]);
    expect(await t.jobsIn(bulkQueue('hms'))).toBe(1);
  });

  test('to nobody are done at once', async () => {
    const app = await t.createApp();
    const pushId = await t.accept(app, addressed(['nobody']));
    await dispatchEnvelope(t.ports, pushId, [pushId]);
    expect(await t.record(pushId)).toMatchObject({ status: 'done', channels: {} });
  });
});

describe('dispatching again', () => {
  async function twoPushes() {
    const app = await t.createApp();
    const ids = await t.register(
      app,
      many(2, () => vendorDevice('HMS')),
    );
    return { audience: await t.accept(app), direct: await t.accept(app, addressed(ids)) };
  }
  const state = async (pushId: string) => [await t.record(pushId), await t.store.ledger.openParts(pushId)];

  test('the same envelope changes nothing', async () => {
    const { audience, direct } = await twoPushes();
    const run = () => dispatchEnvelope(t.ports, 'same', [audience, direct]);
    await run();
    const before = [await state(audience), await state(direct)];
    await run();
    expect([await state(audience), await state(direct)]).toEqual(before);
    expect([await t.jobsIn(bulkQueue('hms')), await t.jobsIn(directQueue('hms'))]).toEqual([1, 1]);
  });

  test('adds what a dispatcher that died had planned and not added', async () => {
    const { audience, direct } = await twoPushes();
    const run = () => dispatchEnvelope(t.ports, 'died', [audience, direct]);
    await run();
    await t.lose(bulkQueue('hms'));
    await t.lose(directQueue('hms'));
    await run();
    expect(await t.job(bulkQueue('hms'), `${audience}-hms-1`)).toEqual({ pushId: audience, lane: 1 });
    expect(await t.job(directQueue('hms'), 'died-hms')).toEqual({
      pages: [{ pushId: direct, page: 1 }],
      envelope: 'died',
    });
  });

  test('the pages of a push that several envelopes name belong to one of them', async () => {
    const { audience, direct } = await twoPushes();
    const envelopes = ['one', 'two', 'three'];
    await Promise.all(envelopes.map((id) => dispatchEnvelope(t.ports, id, [audience, direct])));
    expect(await t.jobsIn(bulkQueue('hms'))).toBe(1);
    const owner = (await t.store.pushes.withPage(direct, 1))?.page?.envelope ?? '';
    expect(envelopes).toContain(owner);
    expect(await t.job(directQueue('hms'), `${owner}-hms`)).toMatchObject({ envelope: owner });
    expect((await t.record(direct)).channels['hms']?.matched).toBe(2);
  });

  test('another envelope with a push that is dispatched leaves its pages to the first', async () => {
    const { direct } = await twoPushes();
    await dispatchEnvelope(t.ports, 'first', [direct]);
    await dispatchEnvelope(t.ports, 'second', [direct]);
    expect([await t.jobsIn(directQueue('hms')), await t.job(directQueue('hms'), 'second-hms')]).toEqual([1, undefined]);
  });
});

test('a push whose app was deleted reaches nobody and is done', async () => {
  const app = await t.createApp();
  await t.register(app, [vendorDevice('HMS')]);
  const pushId = await t.accept(app);
  await t.store.apps.remove(app.id);
  await dispatchEnvelope(t.ports, pushId, [pushId]);
  expect(await t.record(pushId)).toMatchObject({ status: 'done', channels: {} });
});

test('a push without a record is told, and does not hold up the others of its envelope', async () => {
  const app = await t.createApp();
  await t.register(app, [vendorDevice('HMS')]);
  const pushId = await t.accept(app);
  expect(await dispatchEnvelope(t.ports, 'e', ['0123456789abcd00', pushId])).toEqual(['0123456789abcd00']);
  expect(await t.job(bulkQueue('hms'), `${pushId}-hms-1`)).toBeDefined();
});

describe('a job that comes before its push', () => {
  const pushId = '0123456789abcd00';
  const runs: JobRun['result'][] = [];
  const consume = () => {
    runs.length = 0;
    const onRun = (queue: string, { result }: JobRun) => void (queue === PUSH_REQUESTS && runs.push(result));
    const metrics = { ...t.ports.metrics, jobs: { ...t.ports.metrics.jobs, onRun } };
    const onFailure = () => (error: Error) => void t.failures.push(error.message);
    return openConsumers({ ...t.ports, metrics }, { at: t.at, concurrency: 2, onFailure });
  };
  const close = (consumers: ReturnType<typeof consume>) => Promise.all(consumers.map((consumer) => consumer.close()));

  test('waits for it', async () => {
    const app = await t.createApp();
    const ids = await t.register(app, [vendorDevice('HMS')]);
    const consumers = consume();
    await t.ports.requests.add([{ id: pushId, data: { pushIds: [pushId] } }]);
    await until(() => runs.length > 1);
    expect(await t.accept(app, { ...addressed(ids), place: { pushId, number: 1 } })).toBe(pushId);
    await until(() => runs.at(-1) === 'done');
    await close(consumers);
    expect(await t.job(directQueue('hms'), `${pushId}-hms`)).toMatchObject({ pages: [{ pushId, page: 1 }] });
    expect([(await t.record(pushId)).channels['hms'], t.failures]).toMatchObject([{ outstanding: 1 }, []]);
  });

  test('stands back at the channel as it did before', async () => {
    const app = await t.createApp();
    const ids = await t.register(app, [vendorDevice('HMS')]);
    const pushId = await t.accept(app, addressed(ids));
    const consumers = consume();
    await t.ports.requests.add([{ id: pushId, data: { pushIds: [pushId] }, priority: 7 }]);
    await until(() => runs.at(-1) === 'done');
    await close(consumers);
    expect(await t.ports.queues.direct('hms').depth()).toMatchObject({ prioritized: 1, waiting: 0 });
  });

  test('does not wait for one that was never accepted', async () => {
    const later = Date.now() + 6000;
    const consumers = openConsumers(
      { ...t.ports, now: () => later },
      { at: t.at, concurrency: 1, onFailure: () => fail },
    );
    await t.ports.requests.add([{ id: pushId, data: { pushIds: [pushId] } }]);
    await until(async () => (await t.jobsIn(PUSH_REQUESTS)) === 0);
    await close(consumers);
  });
});

describe('a scheduled push that the clock of a process takes for due', () => {
  const runs: JobRun['result'][] = [];
  const consume = async (aheadMs: number) => {
    runs.length = 0;
    const onRun = (queue: string, { result }: JobRun) => void (queue === PUSH_SCHEDULE && runs.push(result));
    const metrics = { ...t.ports.metrics, jobs: { ...t.ports.metrics.jobs, onRun } };
    const store = await t.storeAhead(aheadMs);
    const ports = { ...t.ports, store, metrics, now: store.clock.now };
    return openConsumers(ports, { at: t.at, concurrency: 2, onFailure: () => fail });
  };
  const plannedIn = async (ms: number): Promise<string> => {
    const app = await t.createApp();
    await t.register(app, [vendorDevice('HMS')]);
    const pushId = await t.accept(app, { pushTime: Date.now() + ms, isScheduled: true });
    await t.ports.schedule.add([{ id: pushId, data: { pushIds: [pushId] } }]);
    return pushId;
  };

  test.each([
    [86_400_000, 3_600_000, 'again'],
    [86_400_000, -1000, 'done'],
    [-300_000, 3_600_000, 'again'],
  ] as const)(
    '%i ms ahead of the fleet, and is due in %i ms by that of the fleet: %s',
    async (aheadMs, dueInMs, result) => {
      const consumers = await consume(aheadMs);
      const pushId = await plannedIn(dueInMs);
      await until(() => runs.length > 0);
      await Promise.all(consumers.map((consumer) => consumer.close()));
      expect(runs).toEqual([result]);
      expect(await t.jobsIn(PUSH_SCHEDULE)).toBe(result === 'again' ? 1 : 0);
      expect((await t.record(pushId)).status).toBe(result === 'again' ? 'scheduled' : 'in-queue');
    },
  );
});

test('a push that cannot be planned does not hold up the others of its envelope', async () => {
  const app = await t.createApp();
  await t.register(app, [vendorDevice('HMS')]);
  const broken = await t.accept(app);
  const good = await t.accept(app);
  await t.spoil(broken);
  await expect(dispatchEnvelope(t.ports, 'mixed', [broken, good])).rejects.toThrow(/cannot be read/);
  expect(await t.job(bulkQueue('hms'), `${good}-hms-1`)).toBeDefined();
});
