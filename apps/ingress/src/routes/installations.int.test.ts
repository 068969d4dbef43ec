import { anInstallation, redisHarness, unique } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, PUBLIC_URL, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

const PATHS = ['/1.1/installations', '/1.1/classes/_Installation'] as const;
const PATH = PATHS[0];

async function register(overrides = {}, path: string = PATH): Promise<string> {
  const reply = await ingress.call('POST', path, { body: anInstallation(overrides) });
  expect(reply.status).toBe(201);
  return fieldsOf(reply)['objectId'] ?? '';
}

const read = async (objectId: string): Promise<unknown> => (await ingress.call('GET', `${PATH}/${objectId}`)).body;
const find = (query: Readonly<Record<string, string>>) =>
  ingress.asMaster('GET', `${PATH}?${new URLSearchParams(query).toString()}`);

describe('200', () => {
  describe.each(PATHS)('%s', (path) => {
    it('reads one, whatever body the client sends along', async () => {
      const objectId = await register({ vendor: 'mi' }, path);
      const reply = await ingress.call('GET', `${path}/${objectId}?`);
      expect(reply).toMatchObject({ status: 200, body: { objectId, vendor: 'mi' } });
      expect(Object.values(fieldsOf(reply))).not.toContain(null);
    });

    it('a missing one is an empty object', async () => {
      expect(await ingress.call('GET', `${path}/nobody`)).toMatchObject({ status: 200, body: {} });
    });

    it('an update answers what it changed', async () => {
      const objectId = await register({ channels: ['a'] }, path);
      const reply = await ingress.call('PUT', `${path}/${objectId}?`, {
        body: { channels: { __op: 'AddUnique', objects: ['a', 'b'] }, badge: { __op: 'Increment', amount: 2 } },
      });
      expect(reply).toMatchObject({ status: 200, body: { objectId, updatedAt: expect.stringMatching(/Z$/) } });
      expect(Object.keys(fieldsOf(reply)).sort()).toEqual(['objectId', 'updatedAt']);
      expect(await read(objectId)).toMatchObject({ channels: ['a', 'b'], badge: 2 });
    });

    it.each(['fetchWhenSave=true', 'new=true'])('an update with %s answers the whole document', async (query) => {
      const objectId = await register({ vendor: 'mi', colour: 'red' }, path);
      const reply = await ingress.call('PUT', `${path}/${objectId}?${query}`, { body: { vendor: 'lc' } });
      expect(reply).toMatchObject({ status: 200, body: { objectId, vendor: 'lc', colour: 'red' } });
    });

    it.each([undefined, {}])('the master key deletes with the body %j', async (body) => {
      const objectId = await register({}, path);
      expect(await ingress.asMaster('DELETE', `${path}/${objectId}`, { body })).toMatchObject({
        status: 200,
        body: {},
      });
      expect(await read(objectId)).toEqual({});
    });
  });

  it('an update under the id of another service goes to the installationId', async () => {
    const installationId = unique('i');
    const objectId = await register({ installationId });
    const reply = await ingress.call('PUT', `${PATH}/idOfAnotherService`, { body: { installationId, vendor: 'mi' } });
    expect(reply).toMatchObject({ status: 200, body: { objectId } });
    expect(await read(objectId)).toMatchObject({ vendor: 'mi' });
  });

  it('an update under an unknown id makes the installation that its installationId names', async () => {
    const body = anInstallation({ vendor: 'mi' });
    const reply = await ingress.call('PUT', `${PATH}/neverSeen`, { body });
    expect(reply.status).toBe(200);
    expect(await read(fieldsOf(reply)['objectId'] ?? '')).toMatchObject(body);
  });

  it('an update whose condition holds is made', async () => {
    const objectId = await register({ vendor: 'mi' });
    const where = encodeURIComponent(JSON.stringify({ vendor: 'mi' }));
    const reply = await ingress.call('PUT', `${PATH}/${objectId}?where=${where}`, { body: { vendor: 'lc' } });
    expect(reply.status).toBe(200);
  });

  it('a removed field is gone, not null', async () => {
    const objectId = await register({ colour: 'red' });
    await ingress.call('PUT', `${PATH}/${objectId}`, { body: { colour: { __op: 'Delete' }, vendor: null } });
    expect(Object.keys((await read(objectId)) as object)).not.toEqual(expect.arrayContaining(['colour']));
    expect(await read(objectId)).not.toHaveProperty('vendor');
  });

  it('finds by equality, counts and pages', async () => {
    const group = unique('g');
    const ids = [];
    for (let i = 0; i < 5; i += 1) ids.push(await register({ group, channels: [i < 2 ? 'few' : 'many'] }));
    const where = JSON.stringify({ group });
    const all = (await find({ where })).body as { results: { objectId: string }[] };
    expect(all.results.map(({ objectId }) => objectId).sort()).toEqual([...ids].sort());
    expect((await find({ where, count: '1', limit: '0' })).body).toEqual({ results: [], count: 5 });
    const few = await find({ where: JSON.stringify({ group, channels: 'few' }), count: '1' });
    expect(few.body).toMatchObject({ count: 2, results: [{ group }, { group }] });
    const rest = await find({ where, limit: '2', skip: '4' });
    expect((rest.body as { results: unknown[] }).results).toHaveLength(1);
  });

  it('finds in order, with some of the keys', async () => {
    const group = unique('g');
    for (const level of [2, 3, 1]) await register({ group, level, colour: 'red' });
    const where = JSON.stringify({ group });
    const { results } = (await find({ where, order: '-level', limit: '2', keys: 'level' })).body as {
      results: Record<string, unknown>[];
    };
    expect(results.map(({ level }) => level)).toEqual([3, 2]);
    expect(Object.keys(results[0] ?? {}).sort()).toEqual(['createdAt', 'level', 'objectId', 'updatedAt']);
  });

  it('deletes several at once, and only while a condition holds', async () => {
    const ids = [await register({ colour: 'red' }), await register({ colour: 'blue' })];
    const where = encodeURIComponent(JSON.stringify({ colour: 'red' }));
    expect((await ingress.asMaster('DELETE', `${PATH}/${ids.join(',')}?where=${where}`)).status).toBe(200);
    expect(await read(ids[0] ?? '')).toEqual({});
    expect(await read(ids[1] ?? '')).toMatchObject({ colour: 'blue' });
    expect(await ingress.asMaster('DELETE', `${PATH}/${ids[1]}?where=${where}`)).toMatchObject({
      status: 400,
      body: errorBody(305, /No effect/),
    });
  });

  it('finds by installationId', async () => {
    const installationId = unique('i');
    const objectId = await register({ installationId });
    expect((await find({ where: JSON.stringify({ installationId }) })).body).toMatchObject({ results: [{ objectId }] });
  });
});

describe('201', () => {
  it.each(PATHS)('a first save to %s says where the document is', async (path) => {
    const reply = await ingress.call('POST', `${path}?`, { body: anInstallation() });
    const { objectId } = fieldsOf(reply);
    expect(reply).toMatchObject({ status: 201, body: { createdAt: expect.stringMatching(/Z$/) } });
    expect(Object.keys(fieldsOf(reply)).sort()).toEqual(['createdAt', 'objectId']);
    expect(objectId).toMatch(/^[0-9A-Za-z]{32}$/);
    expect(reply.headers.get('location')).toBe(`${path}/${objectId}`);
  });

  it('the address is absolute when the public one is known', async () => {
    const other = await openIngress(harness, { publicUrl: PUBLIC_URL });
    const reply = await other.call('POST', `${PATH}/`, { body: anInstallation() });
    expect(reply.headers.get('location')).toBe(`${PUBLIC_URL}${PATH}/${fieldsOf(reply)['objectId']}`);
  });

  it('the whole document comes back when it is asked for', async () => {
    const body = anInstallation({ channels: ['news'] });
    const reply = await ingress.call('POST', `${PATH}?fetchWhenSave=true`, { body });
    expect(reply).toMatchObject({ status: 201, body });
    expect(fieldsOf(reply)).toHaveProperty('updatedAt');
  });

  it('two first saves at once make one installation', async () => {
    const body = anInstallation();
    const replies = await Promise.all([1, 2, 3, 4].map(() => ingress.call('POST', PATH, { body })));
    expect(new Set(replies.map((reply) => fieldsOf(reply)['objectId'])).size).toBe(1);
  });

  it('a later save that repeats its objectId changes the same installation', async () => {
    const installationId = unique('i');
    const objectId = await register({ installationId, channels: ['a'] });
    const body = { objectId, installationId, channels: ['b'], vendor: { __op: 'Delete' } };
    expect(fieldsOf(await ingress.call('POST', PATH, { body }))['objectId']).toBe(objectId);
    expect(await read(objectId)).toMatchObject({ channels: ['b'] });
  });

  it('an objectId of another service does not keep a device out', async () => {
    const reply = await ingress.call('POST', PATH, { body: { objectId: 'ofAnotherService', deviceType: 'android' } });
    expect(reply.status).toBe(201);
  });
});

describe('400', () => {
  it('an update of nothing', async () => {
    expect(await ingress.call('PUT', `${PATH}/nobody`, { body: { vendor: 'mi' } })).toMatchObject({
      status: 400,
      body: { code: 1, error: "Could not find object by id 'nobody' for class '_Installation'." },
    });
  });

  it('an update whose condition does not hold changes nothing', async () => {
    const objectId = await register({ vendor: 'mi' });
    const where = encodeURIComponent(JSON.stringify({ vendor: 'oppo' }));
    const reply = await ingress.call('PUT', `${PATH}/${objectId}?where=${where}`, { body: { vendor: 'lc' } });
    expect(reply).toMatchObject({ status: 400, body: errorBody(305, /No effect/) });
    expect(await read(objectId)).toMatchObject({ vendor: 'mi' });
  });

  it('a save by POST asks its condition about the installation that is there, and none about a new one', async () => {
    const body = anInstallation({ vendor: 'mi' });
    const where = encodeURIComponent(JSON.stringify({ vendor: 'oppo' }));
    const save = (changes: object) => ingress.call('POST', `${PATH}?where=${where}`, { body: { ...body, ...changes } });
    const first = await save({});
    expect(first.status).toBe(201);
    expect(await save({ vendor: 'lc' })).toMatchObject({ status: 400, body: errorBody(305, /No effect/) });
    expect(await read(fieldsOf(first)['objectId'] ?? '')).toMatchObject({ vendor: 'mi' });
  });

  it.each([
    ['not JSON', 'x', 107],
    ['null', 'null', 111],
    ['a number as vendor', { vendor: 3 }, 111],
    ['a bad channel name', { channels: ['a b'] }, 112],
    ['a registrationId that is no text', { registrationId: 7 }, 111],
    ['a device that nothing names', { vendor: 'mi', installationId: null }, 135],
    ['a device with an empty name', { vendor: 'mi', installationId: '' }, 135],
    [
      'a device whose names are taken away',
      { installationId: { __op: 'Delete' }, deviceType: { __op: 'Delete' } },
      135,
    ],
    ['an operation that makes no name', { deviceType: { __op: 'Increment' } }, 111],
    ['a bad field name', { 'a-b': 1 }, 105],
  ])('%s', async (_, body, code) => {
    expect(await ingress.call('POST', PATH, { body })).toMatchObject({ status: 400, body: errorBody(code, /./) });
  });

  it.each(['{', '[3]', '{"a":{"$bad":1}}'])('the condition %s', async (where) => {
    expect(await find({ where })).toMatchObject({ status: 400, body: errorBody(102, /where/) });
  });

  it('an address that cannot be decoded', async () => {
    const reply = await ingress.call('GET', `${PATH}/%E0%A4%A`);
    expect(reply).toMatchObject({ status: 400, body: errorBody(400, /address/) });
  });
});

describe('401', () => {
  it.each([
    ['POST', PATH],
    ['GET', PATH],
    ['GET', `${PATH}/x`],
    ['PUT', `${PATH}/x`],
    ['DELETE', `${PATH}/x`],
  ])('%s %s with a wrong key', async (method, path) => {
    const body = method === 'GET' ? undefined : {};
    expect(await ingress.call(method, path, { key: 'wrong', body })).toMatchObject({
      status: 401,
      body: { code: 401, error: 'Unauthorized.' },
    });
  });
});

describe('403', () => {
  it('the app key does not delete', async () => {
    const objectId = await register();
    expect(await ingress.call('DELETE', `${PATH}/${objectId}`)).toMatchObject({
      status: 403,
      body: errorBody(119, /master key/),
    });
    expect(await read(objectId)).toMatchObject({ objectId });
  });
});

describe('413', () => {
  it.each([66_000, 200_000])('an installation of %d bytes', async (bytes) => {
    const reply = await ingress.call('POST', PATH, { body: anInstallation({ blob: 'x'.repeat(bytes) }) });
    expect(reply).toMatchObject({ status: 413, body: errorBody(413, /bytes/) });
  });
});

describe('addresses as clients send them', () => {
  it.each(['a,b', 'a b', 'x'.repeat(513)])('keeps %j out of a save whose rest is stored', async (registrationId) => {
    const objectId = await register({ vendor: 'mi', registrationId: 'known' });
    const body = { registrationId, deviceProfile: 'a/b', channels: ['kept'] };
    expect((await ingress.call('PUT', `${PATH}/${objectId}`, { body })).status).toBe(200);
    expect(await read(objectId)).toMatchObject({ registrationId: 'known', channels: ['kept'] });
    expect(await read(objectId)).not.toHaveProperty('deviceProfile');
  });

  it.each([
    ...[`${PATH}/`, `${PATH}/?where=%7B%7D`, '/1.1/classes/_Installation/', '/1.1/notifications/'],
    ...['/1.1/scheduledPushMessages/', '/1.1/scan/classes/_Installation/?limit=1', '/1.1/cloudQuery/', '/1.1/retired/'],
    ...['/1.1/date/', '/1.1/push/', '/1.1/'],
  ])('GET %s lacks an id: 404 / 101, whoever asks, in a batch too', async (path) => {
    const strange = await fetch(ingress.url + path);
    expect({ status: strange.status, body: await strange.json() }).toEqual({
      status: 404,
      body: errorBody(101, /id/),
    });
    const requests = [{ method: 'GET', path: path.split('?')[0] }];
    const { body } = await ingress.asMaster('POST', '/1.1/batch', { body: { requests } });
    expect(body).toEqual([{ error: errorBody(101, /id/) }]);
  });

  it('a device that names its type alone is one, as the JavaScript SDK saves it', async () => {
    expect((await ingress.call('POST', PATH, { body: { deviceType: 'web' } })).status).toBe(201);
  });
});
