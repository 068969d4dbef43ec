import { simulatorProfiles } from '@pushfleet/channels/simulators';
import { type PreflightCount } from '@pushfleet/store';
import { aPushRequest, redisHarness, unique } from '@pushfleet/testing';
import { answerPreflights, type AnsweredPreflights } from '../testing/answer-preflights';
import { errorBody, openIngress, type Ingress, type Reply } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
let dispatchers: AnsweredPreflights;

beforeAll(async () => {
  ingress = await openIngress(harness);
  dispatchers = await answerPreflights(harness);
  const { id } = ingress.app;
  await ingress.store.apps.update(id, (app) => ({ ...app, hybrid: true }));
  for (const channel of ['hms', 'oppo', 'mz'] as const) {
    const stored = { value: simulatorProfiles[channel], receiptKey: unique('k') };
    await ingress.store.profiles.put({ app: id, channel, profile: '_default' }, stored);
  }
});

const ask = (body: unknown = aPushRequest(), query = ''): Promise<Reply> =>
  ingress.asMaster('POST', `/1.1/push/preflight${query}`, { body });

const devices = (channel: string, sendable: number, changes: Partial<PreflightCount> = {}): PreflightCount => ({
  ...{ channel, profile: channel === 'own' ? '' : '_default', matched: sendable, sendable },
  ...{ discarded: {}, calls: 1, margin: 0, ...changes },
});

const answerWith = (...counts: PreflightCount[]): void => void (dispatchers.counts = { counts, isDirect: false });

it('tells what each channel would do, and why the rest gets nothing', async () => {
  const refused = { matched: 7, sendable: 0, calls: 0, discarded: { 'profile-missing': 7 } } as const;
  answerWith(
    devices('hms', 3000, { calls: 3 }),
    { channel: 'hms', margin: 0, ...refused },
    devices('own', 5, { calls: 0 }),
  );
  const { status, body } = await ask({ data: { alert: 'Hello' }, flow_control: 1000 });
  expect([status, body]).toMatchObject([200, { preflight: true, devices: 3012, exact: true, warnings: [] }]);
  expect(body).toMatchObject({
    channels: {
      hms: { matched: 3007, sendable: 3000, discarded: { 'profile-missing': 7 }, calls: 3, truncated: 0 },
      own: { matched: 5, sendable: 5, discarded: {}, calls: 0, shown: { title: '', text: 'Hello' } },
    },
  });
  expect(Object.keys((body as { channels: object }).channels)).toEqual(['hms', 'own']);
  expect(body).toMatchObject({ channels: { hms: { shown: { title: ingress.app.name, text: 'Hello' } } } });
  const { hms, own } = (body as { channels: Record<string, { bytes: number; estimatedSeconds: number }> }).channels;
  expect(hms?.bytes).toBeGreaterThan(100);
  expect(own?.bytes).toBeGreaterThan(20);
  // A thousand a second, a little below the rate.
  expect(hms?.estimatedSeconds).toBeGreaterThan(3);
  expect(hms?.estimatedSeconds).toBeLessThan(4);
});

it('names the columns whose indexes would have answered', async () => {
  dispatchers.counts = { counts: [devices('hms', 3000)], isDirect: false, index: ['city'] };
  expect((await ask()).body).toMatchObject({ devices: 3000, index: ['city'] });
});

it('asks for the pages and calls of each profile', async () => {
  await ask();
  expect(dispatchers.questions.at(-1)?.ways).toMatchObject({
    'hms/_default': { pageDevices: 1000, maxBatch: 1000 },
    'mz/_default': { pageDevices: 1000, maxBatch: 100 },
  });
});

it('counts devices whose message is refused, cut, or kept by an operator', async () => {
  answerWith(devices('oppo', 10), devices('mz', 4), devices('hms', 2));
  const silent = await ask({ data: { alert: 'x', silent: true } });
  expect(silent.body).toMatchObject({
    channels: { mz: { sendable: 0, calls: 0, discarded: { 'silent-unsupported': 4 } } },
  });
  expect((await ask({ data: { alert: '长'.repeat(300) } })).body).toMatchObject({
    channels: { oppo: { truncated: 10 } },
  });
  const { controls } = ingress.store.pacing;
  const scope = { app: ingress.app.id, since: Date.now() };
  await controls.set('hms', { ...scope, state: 'paused' });
  await controls.set('oppo', { ...scope, state: 'discarding' });
  expect((await ask()).body).toMatchObject({
    channels: {
      hms: { sendable: 2, waiting: [{ profile: '_default', reason: 'paused' }] },
      oppo: { sendable: 0, calls: 0, discarded: { 'channel-unavailable': 10 } },
    },
  });
  for (const channel of ['hms', 'oppo']) await controls.lift(channel, { app: ingress.app.id });
});

it('tells how far a sample may be from the truth', async () => {
  answerWith(devices('hms', 3000, { margin: 30 }), devices('mz', 400, { margin: 40 }), devices('own', 9));
  const { body } = await ask();
  expect(body).toMatchObject({ exact: false, margin: 50, channels: { hms: { margin: 30 }, mz: { margin: 40 } } });
  expect((body as { channels: { own: object } }).channels.own).not.toHaveProperty('margin');
});

it('warns of what the counts cannot tell', async () => {
  const { id } = ingress.app;
  await ingress.store.apps.update(id, (app) => ({ ...app, limits: { ...app.limits, deliveriesPerDay: 3 } }));
  answerWith(devices('hms', 10));
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await ask({ data: { alert: 'x', _mine: 1 }, push_time: later, over_budget: 'discard' });
  const { warnings } = body as { warnings: { path: string }[] };
  const paths = warnings.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['data._mine', 'push_time', 'over_budget', 'limits.deliveriesPerDay']));
  await ingress.store.apps.update(id, (app) => ({ ...app, limits: { ...app.limits, deliveriesPerDay: 0 } }));
  dispatchers.counts = { counts: [], isDirect: true, problem: 'where: a sub-query finds more than 1000 objects' };
  expect((await ask()).body).toMatchObject({ devices: 0, warnings: [{ path: 'where' }] });
});

describe('refuses', () => {
  it.each([
    ['/1.1/push?preflight=', 'preflight: may only be 1'],
    ['/1.1/push?preflight=0', 'preflight: may only be 1'],
    ['/1.1/push?preflight=true', 'preflight: may only be 1'],
    ['/1.1/push?preflight=1&preflight=2', 'preflight: may only be 1'],
    ['/1.1/push/devices?preflight=no', 'preflight: may only be 1'],
    ['/1.1/push?preflight=1&exact=all', 'exact: may only be 1'],
    ['/1.1/push/preflight?exact=0', 'exact: may only be 1'],
    ['/1.1/push?exact=1', 'exact: only with preflight=1'],
    ['/1.1/push/preflight?exakt=1', 'exakt: is no parameter of a pre-flight; there are preflight, exact', 102],
    ['/1.1/push?preflight=1&limit=5', 'limit: is no parameter of a pre-flight; there are preflight, exact', 102],
  ])('%s', async (path, message, code = 111) => {
    const asked = dispatchers.questions.length;
    const reply = await ingress.asMaster('POST', path, { body: aPushRequest() });
    expect([reply.status, reply.body]).toEqual([400, errorBody(code, new RegExp(message))]);
    expect(await ingress.queues.requests.depth()).toMatchObject({ waiting: 0, active: 0 });
    expect(dispatchers.questions).toHaveLength(asked);
  });

  it('whatever it refuses of a push, and takes none', async () => {
    expect((await ask({ data: { alert: 'x' }, where: [] })).body).toEqual(errorBody(102, /where/));
    expect((await ask({ data: {} })).body).toEqual(errorBody(113, /data/));
    expect((await ingress.asMaster('GET', '/1.1/notifications')).body).toEqual({ results: [] });
  });

  it('the app key, as the alias too', async () => {
    const refused = { status: 403, body: errorBody(119, /master key/) };
    for (const path of ['/1.1/push?preflight=1', '/1.1/push/devices?preflight=1', '/1.1/push/preflight'])
      expect(await ingress.call('POST', path, { body: aPushRequest() })).toMatchObject(refused);
  });
});

it('is one in a batch, and never a push', async () => {
  answerWith(devices('hms', 3));
  const body = aPushRequest();
  const requests = [
    { method: 'POST', path: '/1.1/push/preflight', body },
    { method: 'POST', path: '/1.1/push?preflight=1', body },
    { method: 'POST', path: '/1.1/push', params: { preflight: 1 }, body },
    { method: 'POST', path: '/1.1/push', params: { preflight: true }, body },
  ];
  const reply = await ingress.asMaster('POST', '/1.1/batch', { body: { requests } });
  const answered = { success: expect.objectContaining({ preflight: true, devices: 3 }) };
  expect(reply.body).toEqual([answered, answered, answered, { error: errorBody(111, /preflight/) }]);
  expect(await ingress.queues.requests.depth()).toMatchObject({ waiting: 0, active: 0 });
});

it('says where the answer of a long walk will be, to its own app alone', async () => {
  dispatchers.counts = undefined;
  const begun = await ask(aPushRequest(), '?exact=1');
  const { path } = begun.body as { path: string };
  expect([begun.status, begun.headers.get('location'), begun.body]).toMatchObject([202, path, { state: 'waiting' }]);
  const { id = '', app = '', frame = {} } = dispatchers.questions.at(-1) ?? {};
  await ingress.store.preflights.tell(id, { kind: 'walking', app, lookedAt: 7 }, 10_000);
  expect(await ingress.asMaster('GET', path)).toMatchObject({ status: 202, body: { state: 'walking', lookedAt: 7 } });
  const counts = { counts: [devices('hms', 3)], isDirect: false };
  await ingress.store.preflights.tell(id, { kind: 'counted', app, counts, frame }, 10_000);
  expect(await ingress.asMaster('GET', path)).toMatchObject({ status: 200, body: { devices: 3, exact: true } });
  const other = await openIngress(harness);
  expect((await other.asMaster('GET', path)).status).toBe(404);
  for (const name of ['x', '0'.repeat(32)])
    expect((await ingress.asMaster('GET', `/1.1/push/preflight/${name}`)).status).toBe(404);
});

it('says why a dispatcher did not begin a walk', async () => {
  dispatchers.counts = undefined;
  const { path } = (await ask(aPushRequest(), '?exact=1')).body as { path: string };
  const { id = '', app = '' } = dispatchers.questions.at(-1) ?? {};
  await ingress.store.preflights.tell(id, { kind: 'failed', app, refusal: 'Too many walks.' }, 10_000);
  const refused = await ingress.asMaster('GET', path);
  expect([refused.status, refused.body]).toEqual([429, errorBody(429, /^Too many walks\. Nothing was sent\.$/)]);
  await ingress.store.preflights.tell(id, { kind: 'failed', app }, 10_000);
  expect((await ingress.asMaster('GET', path)).status).toBe(503);
});

it('is refused when no dispatcher answers', async () => {
  dispatchers.counts = undefined;
  const reply = await ask();
  expect([reply.status, reply.body]).toEqual([503, errorBody(503, /nothing was sent/)]);
  expect(reply.headers.get('retry-after')).toBe('1');
});
