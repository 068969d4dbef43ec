import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { until } from '@pushfleet/testing';
import { workersUnderTest, type WorkerUnderTest } from '../testing/worker-under-test';

const start = workersUnderTest();
const PAGE = 100;

const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `r${i}`);

/** A worker of a channel with pages of a hundred devices. */
async function startWith(budget: object, devices: number, beside?: WorkerUnderTest) {
  const worker = await start('mz', beside);
  await worker.putProfile({ ...simulatorProfiles.mz, budget });
  const objectIds = await worker.register(ids(devices));
  return { worker, objectIds };
}

/** When each of its vendor calls began. */
function callTimes(worker: WorkerUnderTest): readonly number[] {
  const times: number[] = [];
  const before = worker.beforeCall;
  worker.beforeCall = async (request) => {
    times.push(performance.now());
    await before(request);
  };
  return times;
}

/** Of Redis and of this process, against each other. */
const CLOCKS_MS = 5;

/** A call may begin late, on a busy machine, and none begins before there is room for it. */
function expectPaced(times: readonly number[], { since, perSecond }: { since: number; perSecond: number }): void {
  const early = times
    .toSorted((a, b) => a - b)
    .filter((at, n) => at - since < Math.floor(n / perSecond) * 1000 - CLOCKS_MS);
  expect(early).toEqual([]);
}

describe('a budget of calls per second', () => {
  it('paces a campaign over all workers, which tells when it will be done', async () => {
    const { worker } = await startWith({ requestsPerSecond: 4 }, 8 * PAGE);
    const other = await start('mz', worker);
    const times = [callTimes(worker), callTimes(other)] as const;
    const [before, since] = [Date.now(), performance.now()];
    const pushId = await worker.pushToAll({ lanes: 2, expected: 8 * PAGE });
    const estimate = await until(async () => (await worker.record(pushId)).estimatedDoneAt);
    expect(estimate).toBeGreaterThan(before + 500);
    expect(estimate).toBeLessThan(Date.now() + 10_000);
    expect(await worker.done(pushId)).toMatchObject({ accepted: 8 * PAGE });
    expect(await worker.record(pushId)).not.toHaveProperty('estimatedDoneAt');
    expectPaced(times.flat(), { since, perSecond: 4 });
    expect(new Set(worker.sent(pushId)).size).toBe(8 * PAGE);
  });

  it('does not hold up another app of the channel, whose pushes wait behind nobody', async () => {
    const { worker: slow } = await startWith({ requestsPerSecond: 0.2 }, 10 * PAGE);
    const { worker: fast, objectIds } = await startWith({}, 10 * PAGE, slow);
    const waiting = await slow.pushToAll({ lanes: 8 });
    const campaign = await fast.pushToAll();
    const message = await fast.pushTo(objectIds.slice(0, 1));
    await Promise.all([fast.done(campaign), fast.done(message)]);
    expect((await slow.record(waiting)).status).toBe('in-queue');
    await slow.store.pushes.cancel(waiting, Date.now());
    await slow.done(waiting, 20_000);
  });

  it('a push that would rather be incomplete than late is booked where the budget ends', async () => {
    const { worker, objectIds } = await startWith({ requestsPerSecond: 0.2 }, 6 * PAGE);
    const pushId = await worker.pushToAll({ lanes: 1, overBudget: 'discard' });
    const books = await worker.done(pushId);
    expect(books.accepted % PAGE).toBe(0);
    expect(books.accepted).toBeGreaterThan(0);
    expect(books.accepted).toBeLessThan(6 * PAGE);
    expect(books.discarded).toEqual({ 'quota-exceeded': 6 * PAGE - books.accepted });
    const pushes = await Promise.all(
      ids(6).map((_, i) => worker.pushTo(objectIds.slice(i, i + 1), { overBudget: 'discard' })),
    );
    const columns = await Promise.all(pushes.map((id) => worker.done(id)));
    expect(columns.filter(({ discarded }) => discarded['quota-exceeded'] === 1).length).toBeGreaterThan(2);
  });

  it('ends with the push: what waits then has expired', async () => {
    const { worker } = await startWith({ requestsPerSecond: 0.1 }, 3 * PAGE);
    const pushId = await worker.pushToAll({ lanes: 1, expiresInMs: 5000 });
    const books = await worker.done(pushId);
    expect(books).toMatchObject({ accepted: PAGE, discarded: { expired: 2 * PAGE } });
  });

  it('of addressed pushes is waited for in the queue', async () => {
    const { worker, objectIds } = await startWith({ requestsPerSecond: 10 }, 12);
    const times = callTimes(worker);
    const since = performance.now();
    const pushes = await Promise.all(objectIds.map((id) => worker.pushTo([id])));
    for (const pushId of pushes) expect(await worker.done(pushId)).toMatchObject({ accepted: 1 });
    expectPaced(times, { since, perSecond: 10 });
  });

  it('is used as it comes by a job of many addressed pushes', async () => {
    const { worker } = await startWith({ requestsPerSecond: 20 }, 1);
    const pages = await Promise.all(
      ids(30).map(async (id) => {
        const pushId = await worker.accept();
        const page = {
          channel: 'mz',
          profile: '_default',
          devices: [[id, id]] as const,
          dueAt: 0,
          tries: 0,
          direct: true,
        };
        await worker.store.ledger.plan({ pushId, lanes: [], pages: [page], books: [], now: Date.now() });
        return { pushId, page: 1 };
      }),
    );
    const before = performance.now();
    await worker.jobs.direct.add([{ id: 'envelope', data: { pages } }]);
    await until(() => worker.http.sent.length === 30);
    expect(performance.now() - before).toBeGreaterThan(1000);
  });
});

describe('a cap on calls in flight', () => {
  it('holds over all workers and costs nobody his message', async () => {
    const { worker, objectIds } = await startWith({ requestsPerSecond: 0, callsInFlight: 2 }, 12);
    const other = await start('mz', worker);
    let calls = 0;
    let most = 0;
    for (const each of [worker, other])
      each.beforeCall = async () => {
        most = Math.max(most, (calls += 1));
        await new Promise((resolve) => setTimeout(resolve, 30));
        calls -= 1;
      };
    await Promise.all([worker.refresh(), other.refresh()]);
    const pushes = await Promise.all(objectIds.map((id) => worker.pushTo([id])));
    for (const pushId of pushes) expect(await worker.done(pushId)).toMatchObject({ accepted: 1 });
    expect(most).toBeLessThanOrEqual(2);
  });
});

describe('flow_control', () => {
  it('paces one push, and no other', async () => {
    const { worker } = await startWith({}, 15 * PAGE);
    const times = callTimes(worker);
    const since = performance.now();
    const paced = await worker.pushToAll({ flowControl: 1000 });
    const books = await worker.done(paced);
    expectPaced(times, { since, perSecond: 10 });
    expect(books.accepted).toBe(15 * PAGE);
  });
});

it('limits that are off, and a profile without any, cost no question to Redis', async () => {
  const { worker, objectIds } = await startWith({ requestsPerSecond: 0 }, 3);
  const take = jest.spyOn(worker.store.pacing.leases, 'take');
  for (const id of objectIds) await worker.done(await worker.pushTo([id]));
  expect(take).not.toHaveBeenCalled();
});
