import type { Json } from '@pushfleet/domain';
import { redisHarness } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
beforeAll(async () => {
  ingress = await openIngress(harness);
});

const names = (count: number): string => Array.from({ length: count }, (_, i) => `name${i}`).join(',');
const find = (params: Readonly<Record<string, Json>>) => ({ method: 'GET', path: '/1.1/installations', params });

/** What counts is time on a processor, so that a busy machine does not matter. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The longest time that the process computed before a timer had its turn, while the work went on. */
async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let last = processorMs();
  let longest = 0;
  const timer = setInterval(() => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  await work();
  clearInterval(timer);
  return Math.max(longest, processorMs() - last);
}

test.each([
  ['keys', names(100_000), /keys: may have at most 8192 characters/],
  ['keys', `${'a,'.repeat(101)}`, /keys: may have at most 100 names/],
  ['order', names(100_000), /order: may have at most 2048 characters/],
  ['order', `${'a,'.repeat(11)}`, /order: may have at most 10 names/],
  ['where', `{"a":"${'x'.repeat(1024 * 1024)}"}`, /at most 1048576 characters/],
  [
    'where',
    { $or: Array.from({ length: 11 }, (_, i) => ({ [`f${i}`]: { $in: [...Array(1000).keys()] } })) },
    /10000 values/,
  ],
])('%s without end in an element of a batch is refused by its limit', async (name, value, message) => {
  const body = { requests: [find({ [name]: value })] };
  const reply = await ingress.asMaster('POST', '/1.1/batch', { body });
  expect(reply).toMatchObject({ status: 200, body: [{ error: errorBody(102, message) }] });
});

test('a cloud query has the same limits', async () => {
  const ask = (cql: string) => ingress.asMaster('POST', '/1.1/batch', { body: { requests: [cloudQuery(cql)] } });
  const cloudQuery = (cql: string) => ({ method: 'GET', path: '/1.1/cloudQuery', params: { cql } });
  const error = async (cql: string) => (await ask(cql)).body;
  expect(await error(`select ${names(101)} from _Installation`)).toEqual([{ error: errorBody(102, /100 names/) }]);
  expect(await error(`select * from _Installation order by ${names(11)}`)).toEqual([
    { error: errorBody(102, /10 names/) },
  ]);
  expect(await error(`select ${'a'.repeat(200_000)} from _Installation`)).toEqual([
    { error: errorBody(300, /131072 characters/) },
  ]);
});

describe('patterns that take seconds to compile', () => {
  const $regex = `[${'B-\u{1e942}'.repeat(60)}]`;
  const one = { a: { $regex, $options: 'i' } };
  const ten = { $or: Array.from({ length: 10 }, () => one) };
  const refused = errorBody(102, /more than 40 Unicode classes and blocks/);

  test.each([
    ['PUT', '/1.1/installations/anything', { city: 'Oslo' }],
    ['GET', '/1.1/installations', undefined],
  ])('are refused at once where the app key asks %s %s', async (method, path, body) => {
    const startedAt = processorMs();
    const where = encodeURIComponent(JSON.stringify(one));
    const reply = await ingress.call(method, `${path}?where=${where}`, body ? { body } : {});
    expect(reply).toMatchObject({ status: 400, body: refused });
    expect(processorMs() - startedAt).toBeLessThan(500);
  });

  test('are refused at once in pushes and in elements of a batch', async () => {
    const startedAt = processorMs();
    const push = await ingress.call('POST', '/1.1/push', { body: { where: one, data: { alert: 'a' } } });
    expect(push).toMatchObject({ status: 400, body: refused });
    const requests = Array.from({ length: 10 }, () => find({ where: ten }));
    const reply = await ingress.call('POST', '/1.1/batch', { body: { requests } });
    expect(reply.body).toMatchObject(requests.map(() => ({ error: refused })));
    expect(processorMs() - startedAt).toBeLessThan(1500);
  });
});

test('params without end hold the process no longer than a moment', async () => {
  const params = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`name${i}`, 1]));
  const where = { installationId: 'nobody' };
  const requests = [{ ...find({ ...params, where }), path: '/1.1/installations?where={"installationId":"x"}&limit=1' }];
  let reply: unknown;
  const held = await longestHoldMs(async () => {
    reply = await ingress.call('POST', '/1.1/batch', { body: { requests } });
  });
  expect(reply).toMatchObject({ status: 200, body: [{ success: { results: [] } }] });
  expect(held).toBeLessThan(1500);
});

test('a batch has so many elements, and so many pushes among them', async () => {
  const many = (count: number, element: object) => ({ requests: Array.from({ length: count }, () => element) });
  const date = { method: 'GET', path: '/1.1/date' };
  const push = { method: 'POST', path: '/1.1/push', body: { data: { alert: 'a' }, where: { objectId: 'nobody' } } };
  const tooMany = await ingress.asMaster('POST', '/1.1/batch', { body: many(20_000, date) });
  expect(tooMany).toMatchObject({ status: 400, body: errorBody(154, /at most 10000 elements/) });
  const pushes = await ingress.asMaster('POST', '/1.1/batch', { body: many(1001, push) });
  expect(pushes).toMatchObject({ status: 400, body: errorBody(154, /at most 1000 pushes/) });
  expect(await ingress.queues.requests.depth()).toMatchObject({ waiting: 0 });
});

describe('over installations with long lists', () => {
  /** As many as 64 KB hold. */
  const LIST: readonly Json[] = Array.from({ length: 7500 }, (_, i) => ({ a: i % 10 }));
  const DEVICES = 4;

  beforeAll(async () => {
    for (let i = 0; i < DEVICES; i += 1)
      await ingress.call('POST', '/1.1/installations', { body: { deviceType: 'android', list: LIST } });
  });

  test.each([
    ['$in of a thousand objects', { list: { $in: objects(1000) } }],
    ['$all of a thousand objects', { list: { $all: objects(1000) } }],
    ['many conditions', { $or: Array.from({ length: 240 }, (_, i) => ({ list: { a: -1 - i } })) }],
  ])('%s holds the process no longer than a moment at a time', async (_, where) => {
    const body = { requests: [find({ where })] };
    let reply: unknown;
    const held = await longestHoldMs(async () => {
      reply = await ingress.asMaster('POST', '/1.1/batch', { body });
    });
    expect(reply).toMatchObject({ status: 200, body: [{ success: { results: [] } }] });
    expect(held).toBeLessThan(1500);
  });

  test('sorting by them costs each device once', async () => {
    const startedAt = processorMs();
    const reply = await ingress.asMaster('GET', '/1.1/installations?order=-list,list.a&keys=objectId&limit=1000');
    expect(reply.body).toMatchObject({ results: { length: DEVICES } });
    expect(processorMs() - startedAt).toBeLessThan(5000);
  });
});

function objects(count: number): Json[] {
  return Array.from({ length: count }, (_, i) => ({ a: -1 - i }));
}
