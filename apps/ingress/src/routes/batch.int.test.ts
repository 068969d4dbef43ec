import { request } from 'node:http';
import { anInstallation, aPushRequest, redisHarness, unique, until } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

const CLASS = '/1.1/classes/_Installation';
type Element = { method: string; path: string; body?: unknown; params?: unknown };
type Result = { success?: Record<string, unknown> | null; error?: { code: number; error: string } };

const post = (requests: unknown, path = '/1.1/batch') => ingress.call('POST', path, { body: { requests } });
async function batch(...requests: Element[]): Promise<readonly Result[]> {
  const reply = await post(requests);
  expect(reply.status).toBe(200);
  return reply.body as readonly Result[];
}
/** As `/metrics` has them. */
async function answers(route: string, status: number): Promise<number> {
  const text = await ingress.metrics.text();
  const line = new RegExp(`^pushfleet_ingress_requests_total\\{route="${route}",status="${status}".*\\} (\\d+)$`, 'm');
  return Number(line.exec(text)?.[1] ?? 0);
}
const register = async (body = anInstallation()): Promise<string> => {
  const [result] = await batch({ method: 'POST', path: CLASS, body });
  return String(result?.success?.['objectId']);
};

describe('200', () => {
  it('answers each element in its place, whatever became of the others', async () => {
    const objectId = await register();
    const results = await batch(
      { method: 'PUT', path: `${CLASS}/${objectId}`, body: { vendor: 'mi' } },
      { method: 'POST', path: CLASS, body: { vendor: 7 } },
      { method: 'GET', path: '/1.1/classes/Unknown/x' },
      { method: 'GET', path: '/1.1/unknown' },
      { method: 'GET', path: `${CLASS}/${objectId}` },
      { method: 'PATCH', path: CLASS },
      { method: 'x'.repeat(1000), path: '/1.1/unknown' },
      { method: 'POST', path: '/1.1/batch', body: { requests: [] } },
      { method: 'GET', path: `${CLASS}/%E0%A4%A` },
    );
    expect(results).toEqual([
      { success: { objectId, updatedAt: expect.any(String) } },
      { error: errorBody(111, /vendor/) },
      { error: errorBody(101, /doesn't exist/) },
      { error: errorBody(404, /There is no GET \/1.1\/unknown here/) },
      { success: expect.objectContaining({ objectId, vendor: 'mi' }) },
      { error: errorBody(405, /POST or GET/) },
      { error: errorBody(404, /^There is no X{20} \/1.1\/unknown here/) },
      { error: errorBody(404, /batch/) },
      { error: errorBody(400, /address/) },
    ]);
  });

  it.each(['/1.1/installations/', '/1.1/installations/?limit=1', `${CLASS}/`, '/1.1/installations//'])(
    'an element that asks for %s, without an id, is told that there is none, whoever asks',
    async (path) => {
      const requests = [{ method: 'GET', path }];
      const { body } = await ingress.asMaster('POST', '/1.1/batch', { body: { requests } });
      expect([await batch({ method: 'GET', path }), body]).toEqual([
        [{ error: errorBody(101, /./) }],
        [{ error: errorBody(101, /./) }],
      ]);
    },
  );

  it('elements that are no requests are told so, each by itself', async () => {
    const { body } = await post([1, { method: 'GET' }, { method: 'GET', path: '/1.1/date' }]);
    expect(body).toEqual([
      { error: errorBody(111, /objects/) },
      { error: errorBody(111, /path/) },
      { success: expect.objectContaining({ __type: 'Date' }) },
    ]);
  });

  it('its pushes are counted as pushes, whether they are taken or refused, beside the batch itself', async () => {
    const counted = async (): Promise<readonly number[]> =>
      Promise.all([answers('push', 200), answers('push', 400), answers('installations', 201), answers('batch', 200)]);
    const before = await counted();
    const push = (body: unknown): Element => ({ method: 'POST', path: '/1.1/push', body });
    const save = { method: 'POST', path: CLASS, body: anInstallation() };
    await batch(push(aPushRequest()), push({ data: 7 }), push(aPushRequest()), save);
    expect((await counted()).map((count, i) => count - (before[i] ?? 0))).toEqual([2, 1, 0, 1]);
  });

  it('ends with its caller: no further element begins, and pushes that were taken are counted', async () => {
    const objectId = await register(anInstallation({ n: 0 }));
    const before = await answers('push', 200);
    const path = `${CLASS}/${objectId}`;
    const one = { method: 'PUT', path, body: { n: { __op: 'Increment' } } };
    const requests = [
      { method: 'POST', path: '/1.1/push', body: aPushRequest() },
      ...new Array<Element>(9000).fill(one),
    ];
    const { app, url } = ingress;
    const headers = { 'x-lc-id': app.id, 'x-lc-key': app.key };
    const gone = new AbortController();
    const init = { method: 'POST', headers, body: JSON.stringify({ requests }), signal: gone.signal };
    const answered = fetch(`${url}/1.1/batch`, init);
    await until(async () => (await answers('push', 200)) === before + 1);
    gone.abort();
    await expect(answered).rejects.toThrow('abort');
    const saves = async () => (await ingress.store.installations.get(app.id, objectId))?.['n'];
    let last: unknown;
    await until(async () => last === (last = await saves()));
    expect(last).toBeLessThan(9000);
  });

  it('a long query travels as params', async () => {
    const group = unique('g');
    const ids = await Promise.all([1, 2, 3].map(() => register(anInstallation({ group }))));
    const params = { where: { group, objectId: { $in: ids.slice(0, 2) } }, limit: 10, keys: 'group' };
    const requests = [{ method: 'GET', path: CLASS, params }];
    const { body } = await ingress.asMaster('POST', '/1.1/batch', { body: { requests } });
    const [found] = body as readonly Result[];
    const { results } = found?.success as { results: Record<string, unknown>[] };
    expect(results.map(({ objectId }) => objectId).sort()).toEqual(ids.slice(0, 2).sort());
    expect(Object.keys(results[0] ?? {}).sort()).toEqual(['createdAt', 'group', 'objectId', 'updatedAt']);
  });

  it('one that does not exist is null', async () => {
    expect(await batch({ method: 'GET', path: `${CLASS}/nobody` })).toEqual([{ success: null }]);
  });

  it('several ids in one path are deleted as one', async () => {
    const ids = await Promise.all([register(), register()]);
    const path = `${CLASS}/${ids.join(',')}`;
    expect(await batch({ method: 'DELETE', path, body: {} })).toEqual([{ error: errorBody(119, /master/) }]);
    const reply = await ingress.asMaster('POST', '/1.1/batch', {
      body: { requests: [{ method: 'DELETE', path, body: {} }] },
    });
    expect(reply.body).toEqual([{ success: {} }]);
    const gone = await batch(...ids.map((id) => ({ method: 'GET', path: `${CLASS}/${id}` })));
    expect(gone).toEqual([{ success: null }, { success: null }]);
  });

  it('pushes share commits and are all recorded', async () => {
    const commits = async () => Number(/commit_pushes_count\{.*\} (\d+)/.exec(await ingress.metrics.text())?.[1] ?? 0);
    const before = await commits();
    const pushes = Array.from({ length: 1000 }, (_, i) => ({
      ...{ method: 'POST', path: '/1.1/push' },
      body: aPushRequest({ data: { alert: `n${i}` } }),
    }));
    const ids = (await batch(...pushes)).map(({ success }) => String(success?.['objectId']));
    expect(new Set(ids).size).toBe(1000);
    const records = await Promise.all(ids.map((id) => ingress.store.pushes.read(id)));
    expect(records.map((record) => record?.msg['alert'])).toEqual(pushes.map((_, i) => `n${i}`));
    expect((await commits()) - before).toBeLessThan(100);
  });

  describe('saves of one installation', () => {
    const saves = (count: number, one: (i: number) => Element): Element[] =>
      Array.from({ length: count }, (_, i) => one(i));
    /** Larger ones take longer: those behind them would overtake. */
    const bodyOf = (i: number, more = {}) => ({ n: i, pad: 'x'.repeat(i % 2 === 0 ? 30_000 : 1), ...more });
    const read = async (id: string) => (await batch({ method: 'GET', path: `${CLASS}/${id}` }))[0]?.success;

    it('by its objectId are made in the order of the body', async () => {
      const id = await register();
      for (let round = 0; round < 5; round += 1) {
        const path = `${CLASS}/${id}?new=true`;
        const results = await batch(...saves(40, (i) => ({ method: 'PUT', path, body: bodyOf(i) })));
        expect(results.map(({ success }) => success?.['n'])).toEqual(results.map((_, i) => i));
        expect(await read(id)).toMatchObject({ n: 39 });
      }
    });

    it('by its installationId are made in the order of the body, the first of them too', async () => {
      const { installationId } = anInstallation();
      const body = (i: number) => bodyOf(i, { installationId, [`only${i}`]: true });
      const results = await batch(...saves(40, (i) => ({ method: 'POST', path: CLASS, body: body(i) })));
      const ids = new Set(results.map(({ success }) => success?.['objectId']));
      expect(ids.size).toBe(1);
      expect(await read(String([...ids][0]))).toMatchObject({ n: 39, only0: true, only38: true });
    });

    it('that name it in several ways are made in the order of the body', async () => {
      const body = anInstallation();
      const { installationId } = body;
      const objectId = await register(body);
      const names = [{ objectId }, { objectId, installationId }, { installationId }];
      const results = await batch(
        ...saves(30, (i) => ({
          method: 'POST',
          path: `${CLASS}?new=true`,
          body: bodyOf(i, names[i < 15 ? 0 : i === 15 ? 1 : 2]),
        })),
      );
      expect(results.map(({ success }) => success?.['n'])).toEqual(results.map((_, i) => i));
    });

    it('that take one registrationId in turn leave it with the last', async () => {
      const ids = await Promise.all(saves(20, () => ({ method: 'POST', path: CLASS })).map(() => register()));
      const registrationId = unique('r');
      await batch(
        ...ids.map((id, i) => ({ method: 'PUT', path: `${CLASS}/${id}`, body: bodyOf(i, { registrationId }) })),
      );
      const holders = await Promise.all(ids.map(read));
      expect(holders.map((doc) => doc?.['registrationId'] === registrationId)).toEqual(ids.map((_, i) => i === 19));
    });

    it('and a delete behind them leave nothing', async () => {
      const id = await register();
      const path = `${CLASS}/${id}`;
      const requests = [...saves(10, (i) => ({ method: 'PUT', path, body: bodyOf(i) })), { method: 'DELETE', path }];
      expect((await ingress.asMaster('POST', '/1.1/batch', { body: { requests } })).status).toBe(200);
      expect(await read(id)).toBeNull();
    });

    it('one that fails stops none behind it', async () => {
      const id = await register();
      const put = (body: unknown): Element => ({ method: 'PUT', path: `${CLASS}/${id}`, body });
      const results = await batch(put({ n: 1 }), put({ vendor: 7 }), put({ n: 3 }));
      expect(results.map(({ error }) => error?.code)).toEqual([undefined, 111, undefined]);
      expect(await read(id)).toMatchObject({ n: 3 });
    });
  });

  it('a push finds what the saves before it stored', async () => {
    const devices = Array.from({ length: 20 }, () => anInstallation({ pad: 'x'.repeat(20_000) }));
    const results = await batch(
      ...devices.map((body) => ({ method: 'POST', path: CLASS, body })),
      ...devices.map(({ installationId = '' }) => ({
        ...{ method: 'POST', path: '/1.1/push' },
        body: aPushRequest({ where: { installationId } }),
      })),
    );
    const idOf = (i: number): string => String(results[i]?.success?.['objectId']);
    // A device that is found is planned where the push is taken.
    const pages = await Promise.all(devices.map((_, i) => ingress.store.pushes.withPage(idOf(20 + i), 1)));
    expect(pages.map((found) => found?.page?.devices[0]?.[0])).toEqual(devices.map((_, i) => idOf(i)));
  });

  it('a req_id that is repeated stands for the first of its pushes', async () => {
    const req_id = unique('q').slice(0, 16);
    const push = (more: object): Element => ({
      method: 'POST',
      path: '/1.1/push',
      body: aPushRequest({ req_id, ...more }),
    });
    const later = push({ data: { alert: 'first' }, push_time: new Date(Date.now() + 3_600_000).toISOString() });
    const results = await batch(later, ...Array.from({ length: 20 }, () => push({ data: { alert: 'second' } })));
    const ids = new Set(results.map(({ success }) => success?.['objectId']));
    expect(ids.size).toBe(1);
    expect((await ingress.store.pushes.read(String([...ids][0])))?.msg['alert']).toBe('first');
  });

  it('a push in a batch is as small as one alone', async () => {
    const body = { data: { alert: 'x'.repeat(4100) } };
    expect(await batch({ method: 'POST', path: '/1.1/push', body })).toEqual([{ error: errorBody(413, /4096/) }]);
  });

  it('a body of megabytes is taken', async () => {
    const requests = Array.from({ length: 300 }, () => ({
      ...{ method: 'POST', path: CLASS },
      body: anInstallation({ blob: 'x'.repeat(30_000) }),
    }));
    const results = await batch(...requests);
    expect(results.filter(({ success }) => success)).toHaveLength(300);
  });

  it('answers have so many bytes together, however few characters those are', async () => {
    const group = unique('g');
    await Promise.all(Array.from({ length: 40 }, () => register(anInstallation({ group, text: '中'.repeat(20_000) }))));
    const params = { where: { group }, limit: 100 };
    const requests = new Array<Element>(20).fill({ method: 'GET', path: CLASS, params });
    const { body } = await ingress.asMaster('POST', '/1.1/batch', { body: { requests } });
    const refused = (body as readonly Result[]).filter(({ error }) => error !== undefined);
    expect(refused[0]).toEqual({ error: errorBody(413, /at most 33554432 bytes/) });
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(40 * 1024 * 1024);
  });

  it('nothing is an empty list', async () => {
    expect(await batch()).toEqual([]);
  });
});

describe('POST /1.1/batch/save', () => {
  it('answers under the internal ids that the client gave', async () => {
    const internalId = unique('internal');
    const installationId = unique('i');
    const body = { ...anInstallation({ installationId }), __internalId: internalId, __children: [] };
    const requests = [{ method: 'POST', path: '/1.1/installations', body, new: true }];
    const reply = await post(requests, '/1.1/batch/save');
    const saved = (reply.body as Record<string, Record<string, string>>)[internalId];
    const { objectId, createdAt } = saved ?? {};
    expect(saved).toEqual({ objectId: expect.any(String), createdAt: expect.any(String), updatedAt: createdAt });
    const later = { method: 'POST', path: '/1.1/installations', body: { ...body, objectId, channels: ['later'] } };
    const again = (await post([later], '/1.1/batch/save')).body as Record<string, Record<string, string>>;
    expect(again[internalId]).toEqual({ objectId, createdAt, updatedAt: expect.any(String) });
    const found = await ingress.call('GET', `${CLASS}/${objectId}`);
    expect(found.body).toMatchObject({ installationId });
    expect(Object.keys(found.body as object)).not.toContain('__children');
  });

  it('answers once for two saves of one internal id', async () => {
    const internalId = unique('internal');
    const body = { ...anInstallation(), __internalId: internalId };
    const requests = [
      { method: 'POST', path: '/1.1/installations', body },
      { method: 'POST', path: '/1.1/installations', body: { ...body, channels: ['later'] } },
    ];
    const { app, url } = ingress;
    const headers = { 'x-lc-id': app.id, 'x-lc-key': app.key };
    const init = { method: 'POST', headers, body: JSON.stringify({ requests }) };
    const text = await (await fetch(`${url}/1.1/batch/save`, init)).text();
    expect(text.split(internalId)).toHaveLength(2);
  });

  it('its pushes are counted like those of a batch, also when it is refused', async () => {
    const counted = (): Promise<readonly number[]> => Promise.all([answers('push', 200), answers('push', 400)]);
    const before = await counted();
    const push = (body: unknown): Element => ({ method: 'POST', path: '/1.1/push', body });
    const taken = await post([push(aPushRequest()), push(aPushRequest())], '/1.1/batch/save');
    const refused = await post([push(aPushRequest()), push({ data: 7 }), push({ data: 8 })], '/1.1/batch/save');
    expect([taken.status, refused.status]).toEqual([200, 400]);
    expect((await counted()).map((count, i) => count - (before[i] ?? 0))).toEqual([3, 2]);
  });

  it('is refused with the answer of the first element that is, headers and all', async () => {
    const save = { method: 'POST', path: CLASS, body: anInstallation() };
    const reply = await post(
      [save, { method: 'PATCH', path: CLASS }, { method: 'GET', path: '/no' }],
      '/1.1/batch/save',
    );
    expect(reply).toMatchObject({ status: 405, body: errorBody(405, /POST or GET/) });
    expect(reply.headers.get('allow')).toBe('POST, GET');
  });

  it.each([
    [{ method: 'POST', path: CLASS, body: { city: 'Rome' } }, 400, 135],
    [{ method: 'GET', path: `${CLASS}/` }, 404, 101],
    [{ method: 'GET', path: '/1.1/notifications/nobody/devices' }, 404, 101],
    [{ method: 'PUT', path: '/1.2/rtm/clients/%20/installations/i' }, 400, 4103],
    [{ method: 'GET', path: '/1.1/cloudQuery', params: { cql: 'select * from _User' } }, 404, 101],
  ])('the reference tells of its refusal: %j', async (element, status, code) => {
    const reply = await ingress.asMaster('POST', '/1.1/batch/save', { body: { requests: [element] } });
    expect(reply).toMatchObject({ status, body: errorBody(code, /./) });
  });

  it('is refused when one of its saves is', async () => {
    const reply = await post([{ method: 'POST', path: CLASS, body: { vendor: 1 } }], '/1.1/batch/save');
    expect(reply).toMatchObject({ status: 400, body: errorBody(111, /vendor/) });
  });
});

describe('400', () => {
  it.each([
    ['x', 107],
    [[], 111],
    [{}, 111],
    [{ requests: {} }, 111],
  ])('%j', async (body, code) => {
    const reply = await ingress.call('POST', '/1.1/batch', { body });
    expect(reply).toMatchObject({ status: 400, body: errorBody(code, /./) });
  });
});

describe('401', () => {
  it('a wrong key', async () => {
    const reply = await ingress.call('POST', '/1.1/batch', { key: 'wrong', body: { requests: [] } });
    expect(reply).toMatchObject({ status: 401, body: errorBody(401, /./) });
  });
});

describe('413', () => {
  it('more than 20 MB', async () => {
    const reply = await ingress.call('POST', '/1.1/batch', { body: 'x'.repeat(20 * 1024 * 1024 + 1) });
    expect(reply).toMatchObject({ status: 413, body: errorBody(413, /bytes/) });
  });
});

describe('503', () => {
  it('announced bodies keep nobody out, and those that have come are bounded for their app', async () => {
    const headers = { 'x-lc-id': ingress.app.id, 'x-lc-key': ingress.app.key, 'content-length': 3_000_000 };
    const refused: (number | undefined)[] = [];
    const open = (bytes: number) => {
      const req = request(`${ingress.url}/1.1/batch`, { method: 'POST', headers }, (res) => {
        refused.push(res.statusCode);
      });
      req.on('error', () => undefined);
      req.write('x'.repeat(bytes));
      return req;
    };
    const large = () =>
      ingress.call('POST', '/1.1/batch', {
        body: { requests: [], x: Array.from({ length: 3000 }, () => 'x'.repeat(1000)) },
      });
    const announced = Array.from({ length: 20 }, () => open(1));
    expect((await large()).status).toBe(200);
    const unfinished = [...announced, ...Array.from({ length: 20 }, () => open(2_900_000))];
    await until(() => refused.length > 0);
    expect(new Set(refused)).toEqual(new Set([503]));
    // Bodies that were refused in the same moment leave room for more than one.
    await until(async () => {
      if ((await large()).status === 503) return true;
      unfinished.push(open(2_900_000));
      return false;
    });
    expect((await post([])).status).toBe(200);
    for (const req of unfinished) req.destroy();
    await until(async () => (await large()).status === 200);
  });
});
