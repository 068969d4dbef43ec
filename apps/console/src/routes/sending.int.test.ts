import { LIMITS } from '@pushfleet/domain';
import { OtherAnswer, startPushApi, unique, type PushApi } from '@pushfleet/testing';
import { openPushApi, placeOf } from '../push-api';
import { consoleHarness } from '../testing/console-harness';

let api: PushApi;
const admin = consoleHarness({ ports: { pushApi: { ask: (app, call) => openPushApi(api.url).ask(app, call) } } });
const { call } = admin;

const PUSHED = { objectId: '6s0e6n2kqv1u8b3d', createdAt: '2026-11-21T08:30:00.000Z' };
const PREFLIGHT = { preflight: true, devices: 3, exact: true, channels: {}, warnings: [] };
const BODY = { data: { alert: 'Hello' }, channels: ['public'], req_id: 'a1b2c3' };

let app: { id: string; masterKey: string };

beforeAll(async () => {
  const { body } = await call('POST', '/apps', { name: 'Shop', edition: 'commercial' });
  app = body as { id: string; masterKey: string };
});
beforeEach(async () => (api = await startPushApi()));
afterEach(() => api.stop());

const refusal = (status: number, error: string): object =>
  new OtherAnswer(status, JSON.stringify({ code: status, error }), { 'retry-after': '7' });

const audited = async (): Promise<unknown> => {
  const { body } = await call('GET', '/audit?limit=1');
  return (body['results'] as readonly unknown[])[0];
};

describe('POST /apps/:id/pushes', () => {
  const send = (body: object = BODY, query = '') => call('POST', `/apps/${app.id}/pushes${query}`, body);

  it('201: hands the push over as it is, with the master key, and the audit log tells of it without its text', async () => {
    api.answers['POST /push'] = [{ ...PUSHED, warnings: [{ path: 'data.badge', message: 'not sent' }] }];
    const answer = await send(BODY, '?confirmed=42613');
    expect(answer).toMatchObject({ status: 201, body: { ...PUSHED, warnings: [{ path: 'data.badge' }] } });
    expect(api.asked).toEqual([{ line: 'POST /push', key: `${app.masterKey},master`, body: BODY }]);
    const entry = await audited();
    expect(entry).toMatchObject({
      ...{ action: 'sendPush', target: `/apps/${app.id}/pushes` },
      changes: { objectId: [null, PUSHED.objectId], confirmed: [null, 42_613] },
    });
    expect(JSON.stringify(entry)).not.toContain('Hello');
  });

  it('201: a push that names its devices goes where they have room', async () => {
    api.answers['POST /push/installations'] = [PUSHED];
    const { channels: _, ...push } = BODY;
    for (const list of ['installation_ids', 'object_ids']) {
      expect((await send({ ...push, [list]: ['i1'] })).status).toBe(201);
    }
  });

  it.each([
    [400, 'push_time: must be a date', 400, [{ path: 'push_time', message: 'must be a date' }]],
    [400, 'Hybrid push is on, but no vendor has a profile', 400, undefined],
    [413, 'the body may have at most 4096 bytes', 413, undefined],
    [429, 'limits.masterCallsPerMinute: at most 1', 429, undefined],
    [503, 'not available', 503, undefined],
    [401, 'Unauthorized.', 503, undefined],
  ])('%i %s is told as %i', async (...[status, error, told, details]) => {
    api.answers['POST /push'] = [refusal(status, error)];
    const answer = await send();
    expect(answer.status).toBe(told);
    expect(answer.body['details']).toEqual(details);
    expect(String(answer.body['error'])).toContain(status === 401 ? 'master key' : error);
    if (told === 429) expect(answer.headers.get('retry-after')).toBe('7');
  });

  it('503: what may have been taken is told apart from what surely was not', async () => {
    for (const unclear of [new OtherAnswer(0, ''), new OtherAnswer(502, '<html>'), new OtherAnswer(200, '<html>')]) {
      api.answers['POST /push'] = [unclear];
      const answer = await send(BODY, '?confirmed=3');
      expect(answer).toMatchObject({ status: 503, body: { error: expect.stringContaining('same req_id') } });
      expect(await audited()).toMatchObject({
        ...{ action: 'sendPush', target: `/apps/${app.id}/pushes` },
        changes: { confirmed: [null, 3], outcome: [null, 'unknown'] },
      });
    }
    const before = await audited();
    await api.stop();
    const refused = await send();
    expect(await audited()).toEqual(before);
    const { url } = api;
    api = await startPushApi();
    expect(refused).toMatchObject({ status: 503, body: { error: expect.stringContaining('nothing was done') } });
    expect(refused.body['error']).not.toContain(new URL(url).host);
  });

  it('400 and 404: neither asks the push API', async () => {
    expect((await send(BODY, '?confirmed=x')).status).toBe(400);
    expect((await call('POST', '/apps/none/pushes', BODY)).status).toBe(404);
    expect(api.asked).toEqual([]);
  });
});

describe('POST /apps/:id/pushes/preflight', () => {
  const ask = (query = '') => call('POST', `/apps/${app.id}/pushes/preflight${query}`, BODY);

  it('200: tells what the push would reach, and the audit log nothing', async () => {
    const before = await audited();
    api.answers['POST /push?preflight=1'] = [PREFLIGHT];
    expect(await ask()).toMatchObject({ status: 200, body: PREFLIGHT });
    expect(await audited()).toEqual(before);
  });

  it('202: a walk is asked for again at an address of the console, in the name of the same app', async () => {
    const id = '0b'.repeat(16);
    const path = `/1.1/push/preflight/${id}`;
    const walking = { preflight: true, path, state: 'walking', lookedAt: 7 };
    api.answers['POST /push?preflight=1&exact=1'] = [new OtherAnswer(202, JSON.stringify(walking))];
    api.answers[`GET /push/preflight/${id}`] = [PREFLIGHT];
    const { status, body } = await ask('?exact=1');
    expect([status, body]).toEqual([202, { ...walking, path: `/api/v1/apps/${app.id}/preflights/${id}` }]);
    expect((await call('GET', String(body['path']).replace('/api/v1', ''))).body).toEqual(PREFLIGHT);
    expect((await call('GET', `/apps/${app.id}/preflights/..%2Fx`)).status).toBe(404);
  });
});

describe('DELETE /apps/:id/pushes/:pushId', () => {
  const cancel = (id: string) => call('DELETE', `/apps/${app.id}/pushes/${id}`);

  it('200: tells what the cancel found, to the audit log too', async () => {
    api.answers['DELETE /notifications/p1'] = [{ cancelled: 3, sent: 2, outstanding: 0 }];
    expect(await cancel('p1')).toMatchObject({ status: 200, body: { cancelled: 3, sent: 2, outstanding: 0 } });
    expect(await audited()).toMatchObject({ action: 'cancelPush', changes: { cancelled: [null, 3] } });
  });

  it('503: the audit log tells of a cancel whose answer was lost', async () => {
    api.answers['DELETE /notifications/p2'] = [new OtherAnswer(0, '')];
    expect((await cancel('p2')).status).toBe(503);
    expect(await audited()).toMatchObject({
      ...{ action: 'cancelPush', target: `/apps/${app.id}/pushes/p2`, changes: { outcome: [null, 'unknown'] } },
    });
  });

  it('404: what is no id of a push is not asked for', async () => {
    for (const id of ['..', '.', '', 'a/b', 'a?b']) expect(() => placeOf(id)).toThrow('no id of a push');
    expect((await cancel('a%2Fb')).status).toBe(404);
    expect(api.asked).toEqual([]);
  });

  it('404: there is no such push', async () => {
    api.answers['DELETE /notifications/p1'] = [{}];
    expect((await cancel('p1')).status).toBe(404);
  });
});

test('GET /apps/:id/pushes/:pushId/unreached: those that still exist, a push at a time', async () => {
  const line = (more: string): string =>
    `GET /notifications/p1/devices?reason=unreachable&channel=mi${more}&limit=${LIMITS.deviceIds.value}`;
  const rows = [{ objectId: 'o1' }, { objectId: 'o2', gone: true }, { count: 7 }];
  api.answers[line('')] = [{ results: rows, cursor: 'c1', complete: true }];
  api.answers[line('&cursor=c1')] = [{ results: [], cursor: null, complete: false }];
  const ask = async (query: string) => (await call('GET', `/apps/${app.id}/pushes/p1/unreached?${query}`)).body;
  expect(await ask('channel=mi&reason=unreachable')).toEqual({ object_ids: ['o1'], cursor: 'c1', complete: true });
  const last = await ask('channel=mi&reason=unreachable&cursor=c1');
  expect(last).toEqual({ object_ids: [], complete: false });
  expect(await ask('reason=unreachable')).toMatchObject({ details: [{ path: 'channel' }] });
});

describe('an installation', () => {
  const installationId = unique('device');
  let objectId = '';
  const path = (id: string): string => `/apps/${app.id}/installations/${id}`;
  const save = async (changes: object): Promise<void> => {
    const body = { deviceType: 'android', installationId, ...changes };
    const saved = await admin.store.installations.save({ app: app.id, body, now: Date.now() });
    objectId = saved?.installation.objectId ?? '';
  };

  it('without a registrationId cannot be retired', async () => {
    await save({});
    expect((await call('POST', `${path(installationId)}/retire`)).status).toBe(409);
  });

  it('is retired, and stays', async () => {
    await save({ vendor: 'mi', registrationId: 'r1' });
    expect((await call('POST', `${path(installationId)}/retire`)).status).toBe(200);
    expect((await call('GET', path(objectId))).body).toMatchObject({ isRetired: true, installation: { objectId } });
    expect(await audited()).toMatchObject({ action: 'retireInstallation', target: `${path(installationId)}/retire` });
  });

  it('is removed by either of its ids, once', async () => {
    expect((await call('DELETE', path(installationId))).status).toBe(200);
    for (const [method, place] of [
      ['DELETE', path(installationId)],
      ['POST', `${path(objectId)}/retire`],
      ['GET', path(objectId)],
    ] as const)
      expect((await call(method, place)).status).toBe(404);
    expect(await audited()).toMatchObject({ action: 'removeInstallation' });
  });
});
