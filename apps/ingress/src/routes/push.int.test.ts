import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { envelopeSchema, openConsumer, PUSH_REQUESTS, type Envelope } from '@pushfleet/queues';
import { openRedis } from '@pushfleet/store';
import { aPushRequest, redisHarness, unique, until } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

const push = (overrides = {}, path = '/1.1/push') => ingress.call('POST', path, { body: aPushRequest(overrides) });
const record = async (objectId: string | undefined) => ingress.store.pushes.read(objectId ?? '');
const waiting = async () => {
  const { waiting: prompt = 0, prioritized = 0 } = await ingress.queues.requests.depth();
  return prompt + prioritized;
};

/** Every push that waits for the dispatcher. */
async function drainRequests(): Promise<ReadonlySet<string>> {
  const onError = (): void => undefined;
  const redis = await openRedis({ url: harness.url, patience: 'wait', onError });
  const pushIds = new Set<string>();
  const consumer = openConsumer<Envelope>(
    { redis, namespace: harness.namespace, queue: PUSH_REQUESTS, onError },
    {
      ...{ schema: envelopeSchema, concurrency: 10, lockMs: 5000, onFailure: onError },
      handle: async ({ data }) => {
        for (const id of data.pushIds) pushIds.add(id);
        return 'done';
      },
    },
  );
  await until(async () => (await waiting()) === 0);
  await consumer.close();
  redis.disconnect();
  return pushIds;
}

/** The body of a push with exactly so many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify({ data: { alert: '' } });
  return JSON.stringify({ data: { alert: 'x'.repeat(bytes - empty.length) } });
}

describe('200', () => {
  it.each(['/1.1/push', '/1.1/push/', '/1.1/push?', '/1.1/push?limit=3'])('a push to %s is recorded', async (path) => {
    const before = await waiting();
    const reply = await push({ data: { alert: 'hi' }, where: { channels: 'news' } }, path);
    expect(reply).toMatchObject({
      status: 200,
      body: { objectId: expect.stringMatching(/^[0-9a-z]{16}$/), createdAt: expect.stringMatching(/Z$/) },
    });
    expect(Object.keys(fieldsOf(reply))).toEqual(['objectId', 'createdAt']);
    expect(await record(fieldsOf(reply)['objectId'])).toMatchObject({
      ...{ app: ingress.app.id, status: 'in-queue', prod: 'prod' },
      ...{ msg: { alert: 'hi' }, where: { channels: 'news' } },
    });
    expect(await waiting()).toBe(before + 1);
  });

  it('every answer is uncached JSON that any origin may read', async () => {
    const headersFor = async (headers: Record<string, string>) =>
      (await ingress.call('POST', '/1.1/push', { body: aPushRequest(), headers })).headers;
    const headers = await headersFor({ origin: 'https://example.com' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json;charset=utf-8',
      'cache-control': 'no-cache,no-store',
      'access-control-allow-origin': '*',
    });
    expect((await headersFor({})).has('access-control-allow-origin')).toBe(false);
    expect(headers.has('x-powered-by')).toBe(false);
    expect(headers.has('etag')).toBe(false);
  });

  it('a column that no installation has is warned of, and nobody but the master key is told', async () => {
    const { columnNames, channels } = ingress.store.installations;
    await channels.noteFleet({ now: Date.now(), isFresh: () => Promise.resolve(true) });
    await ingress.store.installations.save({ app: ingress.app.id, body: { deviceType: 'android', level: 3 }, now: 0 });
    const looked = await columnNames.collect(ingress.app.id);
    looked.add({ level: 3 });
    await looked.keep();
    const body = aPushRequest({ where: { $or: [{ levle: 3 }, { level: 3 }], deviceType: 'android' } });
    const warning = { path: 'where.levle', message: 'no installation of the app has this column' };
    expect(fieldsOf(await ingress.asMaster('POST', '/1.1/push', { body }))['warnings']).toEqual([warning]);
    const cql = aPushRequest({ cql: 'select * from _Installation where levle = 3' });
    expect(fieldsOf(await ingress.asMaster('POST', '/1.1/push', { body: cql }))['warnings']).toEqual([warning]);
    expect(fieldsOf(await ingress.call('POST', '/1.1/push', { body }))).not.toHaveProperty('warnings');
    const known = aPushRequest({ where: { level: 4 } });
    expect(fieldsOf(await ingress.asMaster('POST', '/1.1/push', { body: known }))).not.toHaveProperty('warnings');
  });

  it('a signed push is accepted', async () => {
    const at = Date.now();
    const sign = createHash('md5').update(`${at}${ingress.app.masterKey}`).digest('hex');
    const response = await fetch(`${ingress.url}/1.1/push`, {
      method: 'POST',
      headers: { 'X-LC-Id': ingress.app.id, 'X-LC-Sign': `${sign},${at},master` },
      body: JSON.stringify(aPushRequest()),
    });
    expect(response.status).toBe(200);
  });

  it('a body of 4096 bytes is accepted', async () => {
    expect(await ingress.call('POST', '/1.1/push', { body: bodyOf(4096) })).toMatchObject({ status: 200 });
  });

  it('a push without expiry lives as long as the app says', async () => {
    const saved = await record(fieldsOf(await push())['objectId']);
    expect((saved?.expiresAt ?? 0) - (saved?.pushTime ?? 0)).toBe(ingress.app.limits.pushLifetimeMs);
  });

  it('the X-LC-Prod header decides when the body does not', async () => {
    const reply = await ingress.call('POST', '/1.1/push', { body: aPushRequest(), headers: { 'X-LC-Prod': '0' } });
    expect(await record(fieldsOf(reply)['objectId'])).toMatchObject({ prod: 'dev' });
  });

  it('a repeated req_id gets the first answer', async () => {
    const first = await push({ req_id: 'once1', data: { alert: 'first' } });
    const second = await push({ req_id: 'once1', data: { alert: 'second' } });
    expect(second.body).toEqual(first.body);
    expect(await record(fieldsOf(first)['objectId'])).toMatchObject({ msg: { alert: 'first' } });
  });

  it('a repeated req_id of a push that was cancelled sends nothing, and is told so', async () => {
    const first = await push({ req_id: 'gone1' });
    const { objectId } = fieldsOf(first);
    await ingress.asMaster('DELETE', `/1.1/notifications/${String(objectId)}`);
    const warnings = [{ path: 'req_id', message: expect.stringMatching(/^names a push that was cancelled/) as string }];
    const told = { ...fieldsOf(first), warnings };
    expect(fieldsOf(await push({ req_id: 'gone1' }))).toEqual(told);
    const body = { requests: [{ method: 'POST', path: '/1.1/push', body: aPushRequest({ req_id: 'gone1' }) }] };
    expect((await ingress.call('POST', '/1.1/batch', { body })).body).toEqual([{ success: told }]);
  });

  it('a scheduled push waits in its own queue', async () => {
    const [before, delayed] = [await waiting(), async () => (await ingress.queues.schedule.depth())['delayed']];
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const reply = await push({ push_time: at, req_id: 'later1' });
    await push({ req_id: 'later1' });
    expect(await record(fieldsOf(reply)['objectId'])).toMatchObject({ status: 'scheduled', pushTime: Date.parse(at) });
    expect([await waiting(), await delayed()]).toEqual([before, 1]);
  });

  it('1000 pushes at once are all recorded and enqueued under ids of their own', async () => {
    const replies = await Promise.all(Array.from({ length: 1000 }, (_, i) => push({ data: { alert: `n${i}` } })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const ids = new Set(replies.map((reply) => fieldsOf(reply)['objectId']));
    expect(ids.size).toBe(1000);
    const records = await Promise.all([...ids].map(record));
    expect(new Set(records.map((found) => found?.msg['alert'])).size).toBe(1000);
    const enqueued = await drainRequests();
    expect([...ids].filter((id) => !enqueued.has(id ?? ''))).toEqual([]);
    expect(await ingress.metrics.text()).toMatch(/pushfleet_ingress_commit_pushes_bucket/);
  });
});

const GREETING_IN_GBK = Buffer.from('c4e3bac3', 'hex');

describe('400', () => {
  it.each([
    ['not JSON', '{"data":', 107, /JSON/],
    ['nothing', '', 107, /JSON/],
    [
      'text in GBK',
      Buffer.concat([Buffer.from('{"data":{"alert":"'), GREETING_IN_GBK, Buffer.from('"}}')]),
      107,
      /UTF-8/,
    ],
    ['null', 'null', 111, /object/],
    ['a list', '[]', 111, /object/],
    ['no data', {}, 113, /data/],
    ['data that says nothing', { data: { k: 1 } }, 113, /alert/],
    ['silent as text', { data: { alert: 'x', silent: 'true' } }, 111, /silent/],
    ['an unknown operator', { where: { a: { $bad: 1 } }, data: { alert: 'x' } }, 102, /\$bad/],
    ['a bad channel name', { channels: ['a b'], data: { alert: 'x' } }, 112, /a b/],
    ['a bad push_time', { push_time: 'soon', data: { alert: 'x' } }, 152, /push_time/],
    ['a push_time on no day', { push_time: '2099-02-30T00:00:00Z', data: { alert: 'x' } }, 152, /push_time/],
    ['a long req_id', { req_id: 'x'.repeat(17), data: { alert: 'x' } }, 111, /req_id/],
    ['two expiries', { expiration_time: 'x', expiration_interval: 1, data: { alert: 'x' } }, 115, /expiration/],
    ['an over_budget that nobody knows', { over_budget: 'drop', data: { alert: 'x' } }, 111, /over_budget: .*discard/],
    [
      'a target in a section',
      { data: { alert: 'x', mi: { registration_id: 'r' } } },
      111,
      /^data\.mi\.registration_id: /,
    ],
    ['a section beside data', { data: { alert: 'x' }, vivo: { skipType: 9 } }, 111, /^vivo\.skipType: /],
    [
      'a field deep in a section, by its whole path',
      { data: { alert: 'x', hms: { android: { notification: { click_action: { type: 2 } } } } } },
      111,
      /^data\.hms\.(message\.)?android\.notification\.click_action\.url: /,
    ],
    ['a section that is no object', { data: { alert: 'x', mi: 1 } }, 111, /^data\.mi: /],
  ] as const)('%s', async (...[, body, code, message]) => {
    expect(await ingress.call('POST', '/1.1/push', { body })).toMatchObject({
      status: 400,
      body: errorBody(code, message),
    });
  });

  it('hybrid push without any default profile is refused, and served once there is one', async () => {
    const other = await openIngress(harness);
    await other.store.apps.update(other.app.id, (app) => ({ ...app, hybrid: true }));
    const refused = await other.call('POST', '/1.1/push', { body: aPushRequest() });
    expect(refused).toMatchObject({ status: 400, body: errorBody(1, /_default/) });
    const profile = { value: { appId: '1', appSecret: 's', packageName: 'p' }, receiptKey: unique('key') };
    await other.store.profiles.put({ app: other.app.id, channel: 'mi', profile: '_default' }, profile);
    expect(await other.call('POST', '/1.1/push', { body: aPushRequest() })).toMatchObject({ status: 200 });
  });
});

describe('401', () => {
  it('a wrong key', async () => {
    expect(await ingress.call('POST', '/1.1/push', { key: 'wrong', body: aPushRequest() })).toMatchObject({
      status: 401,
      body: { code: 401, error: 'Unauthorized.' },
    });
  });

  it('an unknown app gets the very same answer', async () => {
    const reply = await ingress.call('POST', '/1.1/push', { headers: { 'x-lc-id': 'nobody' }, body: aPushRequest() });
    expect(reply).toMatchObject({ status: 401, body: { code: 401, error: 'Unauthorized.' } });
  });
});

describe('403', () => {
  it('an app that keeps pushing to itself refuses its app key and serves its master key', async () => {
    const other = await openIngress(harness);
    await other.store.apps.update(other.app.id, (app) => ({ ...app, clientPush: false }));
    const refused = await other.call('POST', '/1.1/push', { body: aPushRequest() });
    expect(refused).toMatchObject({ status: 403, body: errorBody(119, /master key/) });
    expect(await other.asMaster('POST', '/1.1/push', { body: aPushRequest() })).toMatchObject({ status: 200 });
  });
});

describe('413', () => {
  it.each([4097, 100_000, 5_000_000])('a body of %d bytes is refused by naming the limit', async (bytes) => {
    const reply = await ingress.call('POST', '/1.1/push', { body: bodyOf(bytes) });
    expect(reply).toMatchObject({ status: 413, body: errorBody(413, /4096/) });
  });

  it('a body of unknown length is not read beyond the limit', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'x-lc-id': ingress.app.id, 'x-lc-key': ingress.app.key };
      const req = request(`${ingress.url}/1.1/push`, { method: 'POST', headers }, (res) => {
        resolve(res.statusCode);
        req.destroy();
      });
      req.on('error', reject);
      req.write('x'.repeat(5000));
    });
    expect(status).toBe(413);
  });
});

describe('a compressed body', () => {
  it('is a push like any other', async () => {
    const body = gzipSync(JSON.stringify({ data: { alert: 'x' } }));
    const reply = await ingress.call('POST', '/1.1/push', { body, headers: { 'content-encoding': 'gzip' } });
    expect(reply).toMatchObject({ status: 200, body: { objectId: expect.any(String) } });
  });

  it('may say no more than another, and names the limit', async () => {
    const body = gzipSync(JSON.stringify({ data: { alert: 'x'.repeat(5000) } }));
    const reply = await ingress.call('POST', '/1.1/push', { body, headers: { 'content-encoding': 'gzip' } });
    expect(reply).toMatchObject({ status: 413, body: errorBody(413, /at most 4096 bytes/) });
  });
});

describe('a body that begins with a byte order mark', () => {
  it('is a push like any other', async () => {
    const body = `\ufeff${JSON.stringify({ data: { alert: 'x' } })}`;
    expect(await ingress.call('POST', '/1.1/push', { body })).toMatchObject({ status: 200 });
  });

  it.each([500, 9000])('is a batch like any other, of %i elements', async (count) => {
    const requests = Array.from({ length: count }, () => ({ method: 'GET', path: '/1.1/date', params: {} }));
    const body = `\ufeff${JSON.stringify({ requests })}`;
    expect(await ingress.call('POST', '/1.1/batch', { body })).toMatchObject({ status: 200 });
  });
});

describe('415', () => {
  it('a body of an unknown coding', async () => {
    const reply = await ingress.call('POST', '/1.1/push', { body: '{}', headers: { 'content-encoding': 'br' } });
    expect(reply).toMatchObject({ status: 415, body: errorBody(415, /Content-Encoding/) });
  });
});
