import { setTimeout as delay } from 'node:timers/promises';
import { channelNames } from '@pushfleet/channels';
import { ChannelFault } from '@pushfleet/channel-kit';
import { simulatorProfiles } from '@pushfleet/channels/simulators';
import type { JobResult } from '@pushfleet/queues';
import { until } from '@pushfleet/testing';
import { sendPages } from './send-pages';
import { workersUnderTest, type WorkerUnderTest } from './testing/worker-under-test';
import type { ConsumerPorts } from './consumers';
import { walkLane } from './walk-lane';

const open = workersUnderTest();

const ids = (count: number, prefix = 'r'): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

/** Everybody got the push, nobody twice. */
async function expectAllOnce(worker: WorkerUnderTest, pushId: string, count: number): Promise<void> {
  const { matched, accepted, discarded, failed } = await worker.done(pushId);
  expect({ matched, accepted, discarded, failed }).toEqual({
    matched: count,
    accepted: count,
    discarded: {},
    failed: {},
  });
  const sent = worker.sent(pushId);
  expect([sent.length, new Set(sent).size]).toEqual([count, count]);
}

/** A worker whose vendor takes about ten calls for everybody. */
async function withDevices(count = 1200): Promise<WorkerUnderTest> {
  const worker = await open('mz');
  await worker.register(ids(count));
  return worker;
}

describe('a campaign', () => {
  test.each(channelNames)(
    'reaches everybody once through %s, and the dead are taken out of the audience',
    async (name) => {
      const worker = await open(name);
      await worker.register([...ids(380), ...ids(20, 'gone')]);
      const pushId = await worker.pushToAll();
      expect(await worker.done(pushId)).toMatchObject({
        matched: 400,
        accepted: 380,
        discarded: { 'registration-gone': 20 },
      });
      await until(async () => (await worker.audienceSize()) === 380);
      await expectAllOnce(worker, await worker.pushToAll(), 380);
    },
  );

  test.each(['throttled', 'http-5xx'] as const)(
    'survives a vendor that answers %s, and sends nothing twice',
    async (kind) => {
      const worker = await withDevices();
      worker.http.misbehave({ kind, times: 4 });
      await expectAllOnce(worker, await worker.pushToAll(), 1200);
    },
  );

  test('counts everybody once against the quota of the day, also those whose page was dropped behind a refused one', async () => {
    const worker = await withDevices(60);
    const limits = { ...worker.app.limits, deliveriesPerDay: 60 };
    await worker.store.apps.update(worker.app.id, (app) => ({ ...app, limits }));
    worker.http.misbehave({ kind: 'throttled', times: 3 });
    const pushId = await worker.accept();
    await walkAlone(worker, pushId);
    await expectAllOnce(worker, pushId, 60);
    expect(await worker.store.quotas.deliveriesOn(worker.app.id, Date.now())).toBe(60);
  });

  test('books calls that the vendor may have taken, and repeats none of them', async () => {
    const worker = await withDevices();
    worker.http.misbehave({ kind: 'garbage', times: 2 });
    const pushId = await worker.pushToAll();
    const { matched, accepted, failed } = await worker.done(pushId);
    expect([matched, accepted + (failed['unknown-outcome'] ?? 0)]).toEqual([1200, 1200]);
    expect(worker.sent(pushId)).toHaveLength(accepted);
    expect(new Set(worker.sent(pushId)).size).toBe(accepted);
  });

  test('survives a vendor that cannot be reached', async () => {
    const worker = await withDevices();
    let calls = 0;
    worker.beforeCall = async () => {
      calls += 1;
      if (calls % 3 === 0 && calls < 20) throw new ChannelFault('unreachable', 'ECONNRESET');
    };
    await expectAllOnce(worker, await worker.pushToAll(), 1200);
  });

  test.each(channelNames.filter((name) => name !== 'mi' && name !== 'mz'))(
    'goes on when the access token of %s is revoked in the middle',
    async (name) => {
      const worker = await open(name);
      await worker.register(ids(1200));
      await expectAllOnce(worker, await worker.pushToAll(), 1200);
      worker.http.misbehave({ kind: 'token-expired', times: 1 });
      await expectAllOnce(worker, await worker.pushToAll(), 1200);
    },
  );

  test('with a wrong secret books the reason for everybody, asks the vendor a few times only, and retires nobody', async () => {
    const worker = await withDevices();
    await worker.putProfile({ ...simulatorProfiles.mz, appSecret: 'wrong' });
    const books = await worker.done(await worker.pushToAll());
    expect(books).toMatchObject({ accepted: 0, discarded: { 'credentials-rejected': 1200 } });
    expect(worker.http.requests.length).toBeLessThan(12 / 2);
    expect(await worker.audienceSize()).toBe(1200);
  });

  test('whose credentials are put right in the middle goes on with them', async () => {
    const worker = await withDevices();
    await worker.putProfile({ ...simulatorProfiles.mz, appSecret: 'wrong' });
    const first = await worker.pushToAll();
    await worker.done(first);
    await worker.putProfile(simulatorProfiles.mz);
    await until(async () => {
      const pushId = await worker.pushToAll();
      return (await worker.done(pushId)).accepted === 1200;
    });
  });

  test('retires nobody when every single registration is called dead: it may be the wrong app', async () => {
    const worker = await open('hms');
    await worker.register(ids(30, 'gone'));
    expect(await worker.done(await worker.pushToAll())).toMatchObject({ discarded: { 'registration-gone': 30 } });
    expect(await worker.audienceSize()).toBe(30);
  });

  test('whose profile is deleted in the middle tells everybody else why', async () => {
    const worker = await withDevices(3000);
    const ref = { app: worker.app.id, channel: 'mz', profile: '_default' };
    worker.beforeCall = () => new Promise((resolve) => setTimeout(resolve, 400));
    const pushId = await worker.pushToAll({ lanes: 1 });
    await until(() => worker.http.requests.length > 3);
    await worker.store.profiles.remove(ref);
    const { matched, accepted, discarded } = await worker.done(pushId);
    expect([matched, accepted + (discarded['profile-missing'] ?? 0)]).toEqual([3000, 3000]);
    expect(discarded['profile-missing']).toBeGreaterThan(0);
  });

  test('whose app is deleted books everybody', async () => {
    const worker = await withDevices(150);
    await worker.store.apps.remove(worker.app.id);
    expect(await worker.done(await worker.pushToAll())).toMatchObject({ discarded: { 'profile-missing': 150 } });
  });

  test('that expires while the vendor throttles is booked at once, not when the vendor would like to be asked again', async () => {
    const worker = await withDevices(250);
    worker.beforeCall = () => Promise.reject(new ChannelFault('throttled', 'HTTP 429', { retryAfterMs: 3_600_000 }));
    const books = await worker.done(await worker.pushToAll({ expiresInMs: 1500 }));
    expect(books).toMatchObject({ matched: 250, accepted: 0, discarded: { expired: 250 } });
  });

  test('that expires while the vendor is away says that the vendor was away for those it was tried for', async () => {
    const worker = await withDevices(100);
    worker.beforeCall = () => Promise.reject(new ChannelFault('unreachable', 'ECONNREFUSED'));
    const books = await worker.done(await worker.pushToAll({ expiresInMs: 5000, lanes: 1 }));
    expect(books).toMatchObject({ matched: 100, failed: { unreachable: 100 } });
  });

  test('that meets answers nobody understands gives up after five tries', async () => {
    const worker = await withDevices(1);
    let calls = 0;
    worker.beforeCall = async () => {
      calls += 1;
      throw new ChannelFault('unrecognised-answer', 'code 7');
    };
    const books = await worker.done(await worker.pushToAll());
    expect(books.failed).toEqual({ 'unrecognised-answer': 1 });
    expect(calls).toBe(5);
  });

  test.each(['campaign', 'message'] as const)(
    'a %s that had to wait for the vendor before still tries such answers five times',
    async (kind) => {
      const worker = await open('mz');
      const devices = await worker.register(['r-1']);
      const calls: string[] = [];
      worker.beforeCall = async () => {
        const code = calls.length < 4 ? 'throttled' : 'unrecognised-answer';
        calls.push(code);
        throw new ChannelFault(code, 'code 7', { retryAfterMs: 20 });
      };
      const books = await worker.done(await (kind === 'campaign' ? worker.pushToAll() : worker.pushTo(devices)));
      expect(books.failed).toEqual({ 'unrecognised-answer': 1 });
      expect(calls.filter((code) => code === 'unrecognised-answer')).toHaveLength(5);
    },
  );

  test('with a profile that cannot be read is booked as a defect after five tries', async () => {
    const worker = await withDevices(1);
    await worker.putProfile({ nonsense: true });
    const books = await worker.done(await worker.pushToAll());
    expect([books.failed, worker.failures.length]).toEqual([{ 'internal-error': 1 }, 5]);
  });

  test('does not lose its sending slots to faults', async () => {
    const worker = await withDevices(600);
    for (let round = 0; round < 5; round += 1) {
      worker.http.misbehave({ kind: round % 2 === 0 ? 'throttled' : 'http-5xx', times: 3 });
      await expectAllOnce(worker, await worker.pushToAll(), 600);
    }
  });

  test('by a condition that few meet yields after a slice and still finds them', async () => {
    const worker = await withDevices(1500);
    await worker.register(['needle']);
    const pushId = await worker.pushToAll({ audience: { predicate: { installationId: 'i-needle' } } });
    await expectAllOnce(worker, pushId, 1);
  });

  test('by a condition that one device in seventeen meets yields after a slice of devices looked at', async () => {
    const worker = await open('mz');
    await worker.register([...ids(1600), ...ids(100, 'hit')]);
    const pushId = await worker.accept({ audience: { predicate: { registrationId: { $regex: '^hit' } } } });
    const slices = await walkAlone(worker, pushId);
    const total = (pages: readonly number[]): number => pages.reduce((sum, count) => sum + count, 0);
    expect(total(slices.flat())).toBe(1700);
    expect(slices.length).toBeGreaterThan(2);
    for (const pages of slices.slice(0, -1)) {
      expect(total(pages)).toBeGreaterThanOrEqual(200);
      expect(total(pages.slice(0, -1))).toBeLessThan(200);
    }
    await expectAllOnce(worker, pushId, 100);
  });
});

/** Walks the only lane of a push; how many devices each page of each slice looked at. */
async function walkAlone(worker: WorkerUnderTest, pushId: string): Promise<readonly (readonly number[])[]> {
  const lane = { id: 1, channel: 'mz', profile: '_default', bucket: 'mz/_default', fromShard: 0, toShard: 256 };
  await worker.store.ledger.plan({ pushId, lanes: [lane], pages: [], books: [], now: Date.now() });
  const slices: number[][] = [];
  const ports = watched(worker, (lookedAt) => slices.at(-1)?.push(lookedAt));
  for (let result: JobResult = { again: 0 }; result !== 'done';) {
    await delay(result.again);
    slices.push([]);
    result = await walkLane(ports, worker.held({ pushId, lane: 1 }));
  }
  return slices;
}

/** Slices of 200 devices and pages of 10; tells how many each page of the walk looked at. */
function watched({ ports }: WorkerUnderTest, onPage: (lookedAt: number) => void): ConsumerPorts {
  const walk: typeof ports.store.installations.walk = (range) => {
    const walked = ports.store.installations.walk(range);
    const next = walked.next.bind(walked);
    return Object.assign(walked, {
      async next() {
        const page = await next();
        onPage(page.lookedAt);
        return page;
      },
    });
  };
  const store = { ...ports.store, installations: { ...ports.store.installations, walk } };
  const gate = Object.create(ports.pace) as typeof ports.pace;
  const pace = Object.assign(gate, { pageDevices: () => Promise.resolve(10) });
  return { ...ports, store, pace, sliceDevices: 200 };
}

describe('two workers on one lane', () => {
  test('fold every page once, whatever they send', async () => {
    const worker = await withDevices(2000);
    const pushId = await worker.pushToAll({ lanes: 1 });
    const walk = async (): Promise<void> => {
      for (let i = 0; i < 10; i += 1) await walkLane(worker.ports, worker.held({ pushId, lane: 1 }));
    };
    await Promise.all([walk(), walk()]);
    expect(await worker.done(pushId)).toMatchObject({ matched: 2000, accepted: 2000 });
    expect(new Set(worker.sent(pushId)).size).toBe(2000);
  });

  test('the one that lost it calls nobody', async () => {
    const worker = await withDevices(100);
    const pushId = await worker.pushToAll();
    await worker.done(pushId);
    const calls = worker.http.requests.length;
    await walkLane(worker.ports, worker.held({ pushId, lane: 1 }, AbortSignal.abort()));
    expect(worker.http.requests).toHaveLength(calls);
  });

  test('a worker that stops leaves the lane where it is', async () => {
    const worker = await open('mz');
    await worker.register(ids(300));
    await worker.close();
    const pushId = await worker.pushToAll({ lanes: 1 });
    const stopped = { ...worker.ports, stopping: AbortSignal.abort() };
    expect(await walkLane(stopped, worker.held({ pushId, lane: 1 }))).toEqual({ again: 0 });
    expect([worker.http.requests.length, (await worker.record(pushId)).channels]).toEqual([0, {}]);
  });
});

describe('an addressed push', () => {
  test.each(channelNames)('that names dead and malformed registrations reaches the others through %s', async (name) => {
    const worker = await open(name);
    const objectIds = await worker.register([...ids(5), 'gone-1', 'bad-1']);
    const { accepted, discarded } = await worker.done(await worker.pushTo(objectIds));
    expect([accepted, Object.values(discarded).reduce((a, b) => a + b, 0)]).toEqual([5, 2]);
  });

  test.each(['throttled', 'http-5xx'] as const)('survives a vendor that answers %s', async (kind) => {
    const worker = await open('hms');
    const objectIds = await worker.register(ids(3));
    await expectAllOnce(worker, await worker.pushTo(objectIds), 3);
    worker.http.misbehave({ kind, times: 2 });
    await expectAllOnce(worker, await worker.pushTo(objectIds), 3);
  });

  test('that the vendor may have taken is sent once more and no more', async () => {
    const worker = await open('hms');
    const objectIds = await worker.register(ids(3));
    await expectAllOnce(worker, await worker.pushTo(objectIds), 3);
    const calls = worker.http.requests.length;
    worker.http.misbehave({ kind: 'garbage', times: 1 });
    await expectAllOnce(worker, await worker.pushTo(objectIds), 3);
    worker.http.misbehave({ kind: 'garbage', times: Infinity });
    const { accepted, failed } = await worker.done(await worker.pushTo(objectIds));
    expect([accepted, failed]).toEqual([0, { 'unknown-outcome': 3 }]);
    expect(worker.http.requests.length - calls).toBe(4);
  });

  test('that expires while it waits for its retry is booked then', async () => {
    const worker = await open('mz');
    const objectIds = await worker.register(ids(3));
    worker.http.misbehave({ kind: 'http-5xx', times: 1e6 });
    const books = await worker.done(await worker.pushTo(objectIds, { expiresInMs: 5000 }));
    expect(books).toMatchObject({ matched: 3, failed: { 'vendor-error': 3 } });
  });

  test('that is deferred goes to where the devices are by then', async () => {
    const worker = await open('mz');
    const objectIds = await worker.register(['old', 'left', 'same']);
    worker.http.misbehave({ kind: 'throttled', times: 1 });
    const pushId = await worker.pushTo(objectIds);
    await until(async () => (await worker.store.ledger.openParts(pushId)).pages.some(([page]) => page === 2));
    const save = (objectId: string | undefined, body: object) =>
      worker.store.installations.save({ app: worker.app.id, objectId, body: { ...body }, now: Date.now() });
    await save(objectIds[0], { registrationId: 'new' });
    await save(objectIds[1], { valid: false });
    const books = await worker.done(pushId);
    // The retry may have been quicker than the change of address.
    expect(books.matched).toBe(3);
    expect(books.accepted + (books.discarded['registration-gone'] ?? 0)).toBe(3);
    expect(worker.sent(pushId)).toContain('same');
  });

  test('whose page is folded already is not sent again', async () => {
    const worker = await open('hms');
    const pushId = await worker.pushTo(await worker.register(ids(2)));
    await worker.done(pushId);
    expect(await sendPages(worker.ports, worker.held({ pages: [{ pushId, page: 1 }] }))).toBe('done');
    expect(worker.sent(pushId)).toHaveLength(2);
  });

  test('whose page another envelope planned is left to that one', async () => {
    const worker = await open('hms');
    const objectIds = await worker.register(ids(1));
    await worker.close();
    const pushId = await worker.pushTo(objectIds, { envelope: 'mine' });
    const jobOf = (envelope: string) => worker.held({ pages: [{ pushId, page: 1 }], envelope });
    expect(await sendPages(worker.ports, jobOf('other'))).toBe('done');
    expect(worker.http.requests).toHaveLength(0);
    expect(await sendPages(worker.ports, jobOf('mine'))).toBe('done');
    expect(worker.sent(pushId)).toHaveLength(1);
  });

  test('whose plan is not written yet is looked at again soon', async () => {
    const worker = await open('hms');
    const pushId = await worker.accept();
    const job = worker.held({ pages: [{ pushId, page: 1 }], envelope: 'mine' });
    expect(await sendPages(worker.ports, job)).toEqual({ again: 50 });
    await worker.store.pushes.cancel(pushId, Date.now());
    expect(await sendPages(worker.ports, job)).toBe('done');
  });

  test('that nobody is left of when it is tried again calls nobody', async () => {
    const worker = await open('mz');
    const [objectId = ''] = await worker.register(['only']);
    await worker.close();
    const pushId = await worker.pushTo([objectId]);
    worker.http.misbehave({ kind: 'throttled', times: 1 });
    await sendPages(worker.ports, worker.held({ pages: [{ pushId, page: 1 }] }));
    await worker.store.installations.remove(worker.app.id, objectId);
    const calls = worker.http.requests.length;
    await until(async () => (await sendPages(worker.ports, worker.held({ pages: [{ pushId, page: 2 }] }))) === 'done');
    expect(await worker.done(pushId)).toMatchObject({ discarded: { 'registration-gone': 1 } });
    expect([worker.http.requests.length, worker.failures]).toEqual([calls, []]);
  });

  test('is left to others by a worker that stops', async () => {
    const worker = await open('hms');
    const objectIds = await worker.register(ids(1));
    await worker.close();
    const pushId = await worker.pushTo(objectIds);
    const stopped = { ...worker.ports, stopping: AbortSignal.abort() };
    expect(await sendPages(stopped, worker.held({ pages: [{ pushId, page: 1 }] }))).toEqual({ again: 0 });
    expect(worker.http.requests).toHaveLength(0);
  });
});

test('jobs of a push without a record are done', async () => {
  const worker = await open('hms');
  const pushId = '0123456789abcd00';
  expect(await walkLane(worker.ports, worker.held({ pushId, lane: 1 }))).toBe('done');
  expect(await sendPages(worker.ports, worker.held({ pages: [{ pushId, page: 1 }] }))).toBe('done');
});
