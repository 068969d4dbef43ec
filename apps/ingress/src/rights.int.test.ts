import { type AppSwitch } from '@pushfleet/domain';
import { anInstallation, aPushRequest, redisHarness, unique } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress } from './testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
let objectId: string;
const installationId = unique('victim');
const registrationId = unique('registration');

beforeAll(async () => {
  ingress = await openIngress(harness);
  const body = anInstallation({ installationId, registrationId, channels: ['vip'] });
  objectId = fieldsOf(await ingress.call('POST', '/1.1/installations', { body }))['objectId'] ?? '';
});

const search = (path: string, query: Readonly<Record<string, string>> = {}): string =>
  `${path}?${new URLSearchParams(query).toString()}`;
const where = (condition: unknown) => ({ where: JSON.stringify(condition) });

const QUERIES = [
  ['GET', '/1.1/installations'],
  ['GET', search('/1.1/classes/_Installation', { count: '1', limit: '0' })],
  ['GET', search('/1.1/installations', where({ vendor: 'HMS' }))],
  ['GET', search('/1.1/installations', where({ installationId: { $regex: '^v' } }))],
  ['GET', search('/1.1/installations', where({ installationId: { $in: [installationId] } }))],
  ['GET', search('/1.1/installations', where({ installationId, vendor: 'HMS' }))],
  ['GET', search('/1.1/installations', where({ installationId: '' }))],
  ['GET', '/1.1/scan/classes/_Installation'],
  ['GET', search('/1.1/cloudQuery', { cql: 'select * from _Installation' })],
] as const;

const PUSH_QUERIES = [
  ['GET', '/1.1/notifications'],
  ['GET', '/1.1/notifications?status=scheduled'],
] as const;

const MASTER_ONLY = [
  ['DELETE', '/1.1/installations/x'],
  ['DELETE', '/1.1/classes/_Installation/x'],
  ['DELETE', '/1.1/notifications/x'],
  ['DELETE', '/1.1/tables/Notifications/x'],
  ['GET', '/1.1/notifications/x/devices'],
  ['GET', '/1.1/retired'],
  ['POST', '/1.1/push/preflight'],
  ['POST', '/1.1/push/installations'],
  ['GET', '/1.1/push/preflight/x'],
  ['GET', '/1.1/scheduledPushMessages'],
  ['DELETE', '/1.1/scheduledPushMessages/1'],
  ['POST', '/1.2/rtm/conversations/c/offline-messages'],
  ['POST', '/1.2/rtm/conversations/c/mutes'],
  ['DELETE', '/1.2/rtm/conversations/c/mutes'],
  ['GET', '/1.2/rtm/conversations/c/mutes'],
  ['PUT', '/1.2/rtm/clients/c/installations/i'],
  ['DELETE', '/1.2/rtm/clients/c/installations/i'],
] as const;

const OTHERS = { className: '_Installation', where: { installationId: { $regex: '^v' } } };
/** Audiences of one device of the caller's own, if the others are as asked. */
const ASKING_OTHERS = {
  $select: { where: { installationId: 'mine', vendor: { $select: { query: OTHERS, key: 'vendor' } } } },
  $inQuery: { where: { installationId: 'mine', owner: { $inQuery: OTHERS } } },
  'a branch': {
    where: { $or: [{ installationId: 'mine', vendor: { $dontSelect: { query: OTHERS, key: 'vendor' } } }] },
  },
};

/** Conditions by which somebody who watches how long a push takes finds the ids of devices. */
const FINDING_IDS = {
  'how an id begins': { where: { installationId: { $regex: '^v' } } },
  'where an id stands': { where: { $or: [{ objectId: { $gte: 'a', $lt: 'b' } }] } },
  'an id in CQL': { cql: "select * from _Installation where installationId > 'v'" },
};

const refused = (name: RegExp) => ({ status: 403, body: errorBody(119, name) });

async function openedBy(name: AppSwitch): Promise<Ingress> {
  const other = await openIngress(harness);
  await other.store.apps.update(other.app.id, (app) => ({ ...app, [name]: true }));
  return other;
}

/** The same calls as one batch; what each of them is answered. */
async function inBatch(calls: readonly (readonly [string, string])[], by = ingress.call): Promise<readonly unknown[]> {
  const requests = calls.map(([method, path]) => ({ method, path }));
  const reply = await by('POST', '/1.1/batch', { body: { requests } });
  expect(reply.status).toBe(200);
  return reply.body as readonly unknown[];
}

describe('the app key', () => {
  it.each(QUERIES)('does not list installations: %s %s', async (method, path) => {
    expect(await ingress.call(method, path)).toMatchObject(refused(/installationQueries/));
  });

  it.each(PUSH_QUERIES)('does not list pushes: %s %s', async (method, path) => {
    expect(await ingress.call(method, path)).toMatchObject(refused(/pushQueries/));
  });

  it.each(MASTER_ONLY)('never does %s %s', async (method, path) => {
    expect(await ingress.call(method, path)).toMatchObject(refused(/master key/));
  });

  it('is refused the same in a batch, element by element', async () => {
    const calls = [...QUERIES, ...PUSH_QUERIES, ...MASTER_ONLY];
    const answers = await inBatch([...calls, ['GET', '/1.1/date']]);
    expect(answers.slice(0, -1)).toEqual(calls.map(() => ({ error: errorBody(119, /master key/) })));
    expect(answers.at(-1)).toEqual({ success: expect.anything() });
  });

  it('reads one device by its objectId or installationId', async () => {
    expect((await ingress.call('GET', `/1.1/installations/${objectId}`)).body).toMatchObject({ installationId });
    const path = search('/1.1/installations', where({ installationId }));
    expect(await ingress.call('GET', path)).toMatchObject({ status: 200, body: { results: [{ objectId }] } });
    expect(await inBatch([['GET', path]])).toMatchObject([{ success: { results: [{ objectId }] } }]);
    const params = { where: { installationId }, limit: 1 };
    const reply = await ingress.call('POST', '/1.1/batch', {
      body: { requests: [{ method: 'GET', path: '/1.1/classes/_Installation', params }] },
    });
    expect(reply.body).toMatchObject([{ success: { results: [{ objectId }] } }]);
  });

  it('does not learn of other devices by the condition of a save', async () => {
    const mine = fieldsOf(await ingress.call('POST', '/1.1/installations', { body: anInstallation() }))['objectId'];
    const save = (condition: unknown) =>
      ingress.call('PUT', search(`/1.1/installations/${mine}`, where(condition)), { body: { level: 1 } });
    const others = { query: { className: '_Installation', where: { channels: 'vip' } }, key: 'vendor' };
    expect(await save({ vendor: { $select: others } })).toMatchObject(refused(/installationQueries/));
    expect((await save({ vendor: 'HMS' })).status).toBe(200);
  });

  // Whoever pushes to a device of their own sees by its message whether the condition held.
  it.each(Object.entries({ ...ASKING_OTHERS, ...FINDING_IDS }))(
    'does not learn of other devices by the condition of a push: %s',
    async (_, more) => {
      const body = aPushRequest(more);
      expect(await ingress.call('POST', '/1.1/push', { body })).toMatchObject(refused(/installationQueries/));
      const requests = [{ method: 'POST', path: '/1.1/push', body }];
      const batch = await ingress.call('POST', '/1.1/batch', { body: { requests } });
      expect(batch.body).toEqual([{ error: errorBody(119, /installationQueries/) }]);
      expect((await ingress.asMaster('POST', '/1.1/push', { body })).status).toBe(200);
      const opened = await openedBy('installationQueries');
      expect((await opened.call('POST', '/1.1/push', { body })).status).toBe(200);
    },
  );
});

describe('a req_id', () => {
  it('that the app key has used, and others can guess, takes no push from the master key', async () => {
    const body = { where: { installationId }, data: { alert: 'code' }, req_id: unique('q').slice(0, 16) };
    const send = { client: ingress.call, master: ingress.asMaster };
    const idOf = async (by: keyof typeof send) => fieldsOf(await send[by]('POST', '/1.1/push', { body }))['objectId'];
    const [stranger, server] = [await idOf('client'), await idOf('master')];
    expect(server).not.toBe(stranger);
    expect([await idOf('client'), await idOf('master')]).toEqual([stranger, server]);
  });
});

describe('the app key reading a push', () => {
  async function push(more = {}, path = '/1.1/push'): Promise<string> {
    const body = aPushRequest({ data: { alert: 'your code is 1234' }, ...more });
    return fieldsOf(await ingress.asMaster('POST', path, { body }))['objectId'] ?? '';
  }
  const read = async (id: string) => (await ingress.call('GET', `/1.1/notifications/${id}`)).body;

  it.each([
    ['everybody', {}],
    ['a channel', { channels: ['vip'] }],
    ['ids', { where: { installationId: { $in: ['a', 'b'] } } }],
  ])('to %s: status and counts, no text, no condition', async (_, more) => {
    const id = await push(more);
    const record = await read(id);
    expect(record).toMatchObject({ objectId: id, status: 'in-queue', devices: 0, channels: {}, errors: [] });
    expect(Object.keys(record as object)).not.toEqual(expect.arrayContaining(['msg']));
    expect(JSON.stringify(record)).not.toMatch(/1234|where|vip/);
    expect((await ingress.asMaster('GET', `/1.1/notifications/${id}`)).body).toMatchObject({
      msg: { alert: 'your code is 1234' },
    });
  });

  it('to devices that its sender listed: counts too', async () => {
    const id = await push({ device_type: 'android', vendor: 'mi', device_ids: ['r1'] }, '/1.1/push/devices');
    expect(await read(id)).toMatchObject({ objectId: id, devices: 0 });
  });

  it.each([
    { where: { vendor: 'HMS' } },
    { where: { installationId: { $regex: '^v' } } },
    { where: { installationId, level: 3 } },
    { channels: ['vip'], where: { $or: [{ installationId }, { level: 3 }] } },
    { where: [{ installationId }, { level: 3 }] },
  ])('to whom a condition finds, %j: the status alone', async (more) => {
    const id = await push(more);
    expect(await read(id)).toEqual({ objectId: id, status: 'in-queue' });
  });

  it('under a notification id, which others can guess: nothing', async () => {
    const notification_id = unique('n').slice(0, 16);
    await push({ notification_id });
    const path = `/1.1/tables/Notifications/${notification_id}`;
    expect(await ingress.call('GET', path)).toMatchObject(refused(/pushQueries/));
    expect((await ingress.asMaster('GET', path)).body).toMatchObject({ notificationId: notification_id });
    // Nor whether there is one: it is refused before anything is read.
    const unknown = `/1.1/notifications/${unique('n')}`;
    expect(await ingress.call('GET', unknown)).toMatchObject(refused(/pushQueries/));
    expect((await ingress.asMaster('GET', unknown)).body).toEqual({});
  });

  it('sees everything where the app has opened it', async () => {
    const other = await openedBy('pushQueries');
    const body = aPushRequest({ where: { vendor: 'HMS' } });
    const { objectId: id } = fieldsOf(await other.call('POST', '/1.1/push', { body }));
    const record = (await other.call('GET', `/1.1/notifications/${id}`)).body;
    expect(record).toMatchObject({ msg: { alert: expect.anything() }, where: { vendor: 'HMS' } });
    for (const [method, path] of PUSH_QUERIES) expect((await other.call(method, path)).status).toBe(200);
    for (const [method, path] of MASTER_ONLY) expect((await other.call(method, path)).status).toBe(403);
  });
});

describe('an app that opened queries of installations', () => {
  it('answers them to the app key, alone and in a batch', async () => {
    const other = await openedBy('installationQueries');
    for (const [method, path] of QUERIES) expect((await other.call(method, path)).status).toBe(200);
    const answers = await inBatch(
      QUERIES.filter(([, path]) => !path.endsWith('/')),
      other.call,
    );
    for (const answer of answers) expect(answer).toEqual({ success: expect.anything() });
    expect(await other.call('GET', '/1.1/notifications')).toMatchObject(refused(/pushQueries/));
  });
});

describe('an app that closed pushes from clients', () => {
  it('takes them with the master key alone, in a batch too', async () => {
    const other = await openIngress(harness);
    await other.store.apps.update(other.app.id, (app) => ({ ...app, clientPush: false }));
    const requests = [{ method: 'POST', path: '/1.1/push', body: aPushRequest() }];
    expect(await other.call('POST', '/1.1/push', { body: aPushRequest() })).toMatchObject(refused(/clientPush/));
    const batch = await other.call('POST', '/1.1/batch', { body: { requests } });
    expect(batch.body).toEqual([{ error: errorBody(119, /clientPush/) }]);
    expect((await other.asMaster('POST', '/1.1/push', { body: aPushRequest() })).status).toBe(200);
  });
});

describe('the master key', () => {
  it.each([...QUERIES, ...PUSH_QUERIES])('%s %s', async (method, path) => {
    expect((await ingress.asMaster(method, path)).status).toBe(200);
  });
});

describe('a device is itself', () => {
  const post = (body: object) => ingress.call('POST', '/1.1/installations', { body });
  const movesOf = async (): Promise<number> =>
    Number(/registrations_moved_total\{.*\} (\d+)/.exec(await ingress.metrics.text())?.[1] ?? 0);

  it('the app key takes nobody out of the audience', async () => {
    const reply = await ingress.call('PUT', `/1.1/installations/${objectId}?new=true`, { body: { valid: false } });
    expect(reply).toMatchObject({ status: 200, body: { objectId, valid: true } });
  });

  it('a save under the objectId of another device makes the device that the body names', async () => {
    const before = await ingress.store.installations.get(ingress.app.id, objectId);
    const body = anInstallation({ channels: ['spam'] });
    const reply = await ingress.call('PUT', `/1.1/installations/${objectId}`, { body });
    expect(reply.status).toBe(200);
    expect(fieldsOf(reply)['objectId']).not.toBe(objectId);
    const claimed = await post({ ...anInstallation(), objectId });
    expect(fieldsOf(claimed)['objectId']).not.toBe(objectId);
    expect(await ingress.store.installations.get(ingress.app.id, objectId)).toEqual(before);
  });

  it('columns and channels of the master key are left out of a save, in a batch too', async () => {
    const other = await openIngress(harness);
    const masterOnly = { columns: ['userId'], channelPrefixes: ['user-'] };
    await other.store.apps.update(other.app.id, (app) => ({ ...app, masterOnly }));
    const body = anInstallation({ userId: 7, channels: ['news', 'user-7'] });
    const requests = [{ method: 'POST', path: '/1.1/installations', body }];
    for (const call of [other.call, other.asMaster]) await call('POST', '/1.1/batch', { body: { requests } });
    const found = await other.asMaster('GET', `/1.1/installations?${new URLSearchParams(where(body)).toString()}`);
    expect(found.body).toMatchObject({ results: [{ userId: 7, channels: ['news', 'user-7'] }] });
    const mine = anInstallation({ userId: 7, channels: ['news', 'user-7'] });
    const saved = await other.call('POST', '/1.1/installations?new=true', { body: mine });
    expect(saved).toMatchObject({ status: 201, body: { channels: ['news'] } });
    expect(saved.body).not.toHaveProperty('userId');
  });

  it('a registrationId that the app key moves is counted', async () => {
    const before = await movesOf();
    await post(anInstallation({ registrationId }));
    expect((await movesOf()) - before).toBe(1);
  });
});
