import { DEFAULT_APP_SETTINGS, type JsonObject } from '@pushfleet/domain';
import { anInstallation, countCommands, redisHarness, unique } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress, type Reply } from '../testing/ingress-harness';

const harness = redisHarness();
const PATH = '/1.1/installations';
/** What comes at once, while the clock stands still. */
const AT_ONCE = 100;

/** An ingress that counts the saves of an address, with one device of its app. */
async function anIngressWithDevice({ savesPerSecond = AT_ONCE / 10, columns = [] as readonly string[] } = {}) {
  const at = Date.now();
  const ingress = await openIngress(harness, { env: { TRUSTED_PROXY_HOPS: '1' }, now: () => at });
  const limits = { ...DEFAULT_APP_SETTINGS.limits, savesPerSecond };
  await ingress.store.apps.update(ingress.app.id, (app) => ({ ...app, limits }));
  for (const column of columns) await ingress.store.installations.columns.declare(ingress.app.id, column);
  const device = anInstallation({ deviceToken: undefined, vendor: 'mi' });
  const created = await ingress.asMaster('POST', PATH, { body: device });
  const id = fieldsOf(created)['objectId'] ?? '';
  const put = (body: JsonObject, address = ADDRESS): Promise<Reply> =>
    ingress.call('PUT', `${PATH}/${id}`, { body, headers: from(address) });
  const asMaster = (body: JsonObject): Promise<Reply> => ingress.asMaster('PUT', `${PATH}/${id}`, { body });
  return { ingress, device, id, put, asMaster };
}

const ADDRESS = '203.0.113.7';
const from = (address: string) => ({ 'x-forwarded-for': address });

const channels = (count: number): string[] => Array.from({ length: count }, () => unique('channel'));
const saveOf = (body: JsonObject): JsonObject => ({ method: 'POST', path: PATH, body });

/** How many saves of one address are taken before the first that is not. */
async function takenOf(save: (i: number) => Promise<Reply>): Promise<number> {
  for (let i = 0; i <= AT_ONCE; i += 1) {
    const reply = await save(i);
    if (reply.status === 429) return i;
    expect([200, 201]).toContain(reply.status);
  }
  return Infinity;
}

const batch = (ingress: Ingress, requests: readonly JsonObject[], path = '/1.1/batch'): Promise<Reply> =>
  ingress.call('POST', path, { body: { requests }, headers: from(ADDRESS) });

const takenIn = ({ body }: Reply): number => (body as readonly object[]).filter((one) => !('error' in one)).length;

describe('whoever has an app key and saves a thousand other channels each time', () => {
  it('sends Redis no more than twice the commands of as many plain saves', async () => {
    const { ingress, device } = await anIngressWithDevice();
    const commands = await countCommands(await harness.open(), harness.namespace);
    harness.onClose(() => commands.close());
    const save = (body: JsonObject, address: string) => ingress.call('POST', PATH, { body, headers: from(address) });

    const plain = await commands.during(() =>
      takenOf(() => save(anInstallation({ channels: ['news'], deviceToken: undefined }), '198.51.100.1')),
    );
    const costly = await commands.during(async () => {
      for (let i = 0; i < AT_ONCE / 4; i += 1) await save({ ...device, channels: channels(1000) }, ADDRESS);
    });
    expect(costly.length).toBeLessThan(2 * plain.length);
  });

  it('is told which limit is reached, what counts, and when to come back; nobody else pays for it', async () => {
    const { put } = await anIngressWithDevice();
    expect(await takenOf(() => put({ channels: channels(1000) }))).toBe(3);
    expect((await put({ city: 'Oslo' }, '198.51.100.1')).status).toBe(200);
    const { device, ingress } = await anIngressWithDevice();
    const save = () =>
      ingress.call('POST', PATH, { body: { ...device, channels: channels(900) }, headers: from(ADDRESS) });
    expect(await takenOf(save)).toBe(3);
    const refused = await save();
    const message = /^limits\.savesPerSecond: .* 10 saves a second .* 100 at once; .* for every 50 channels/;
    expect(refused).toMatchObject({ status: 429, body: errorBody(429, message) });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
  });

  it.each<[string, (names: string[], i: number) => JsonObject]>([
    ['a list', (names, i) => ({ channels: i % 2 === 0 ? names : [] })],
    ['Add and Remove', (objects, i) => ({ channels: { __op: i % 2 === 0 ? 'Add' : 'Remove', objects } })],
    ['AddUnique and Delete', (objects, i) => ({ channels: { __op: i % 2 === 0 ? 'AddUnique' : 'Delete', objects } })],
  ])('counts as twenty saves for each, by %s, alone or in a batch', async (_, bodyOf) => {
    const names = channels(1000);
    const one = await anIngressWithDevice();
    expect(await takenOf((i) => one.put(bodyOf(names, i)))).toBe(5);

    const other = await anIngressWithDevice();
    const elements = (method: string, path: string) =>
      Array.from({ length: 10 }, (_, i) => ({ method, path, body: { ...other.device, ...bodyOf(names, i) } }));
    expect(takenIn(await batch(other.ingress, elements('PUT', `${PATH}/${other.id}`)))).toBe(5);

    const third = await anIngressWithDevice();
    const { device } = third;
    const posts = Array.from({ length: 10 }, (_, i) => saveOf({ ...device, ...bodyOf(names, i) }));
    expect(await batch(third.ingress, posts, '/1.1/batch/save')).toMatchObject({
      body: errorBody(429, /savesPerSecond/),
    });
    expect((await third.put({ city: 'Oslo' })).status).toBe(429);
  });

  it('gets no further in many small elements of a batch', async () => {
    const { ingress } = await anIngressWithDevice();
    const requests = Array.from({ length: AT_ONCE }, () => saveOf(anInstallation({ channels: channels(60) })));
    expect(takenIn(await batch(ingress, requests))).toBeLessThanOrEqual(AT_ONCE / 2);
  });

  it('gets no further by moving its subscriptions to another vendor', async () => {
    const { put, asMaster } = await anIngressWithDevice();
    expect((await asMaster({ channels: channels(1000) })).status).toBe(200);
    expect(await takenOf((i) => put({ vendor: i % 2 === 0 ? 'oppo' : 'mi' }))).toBe(5);
  });

  it('gets no further by the values of indexed columns', async () => {
    const { put } = await anIngressWithDevice({ columns: ['a', 'b'] });
    // Four for the first, eight for each that follows.
    expect(await takenOf(() => put({ a: channels(100), b: channels(100) }))).toBe(13);
  });

  it('takes no registrationId from another device by a save that is refused', async () => {
    const { ingress, put } = await anIngressWithDevice();
    const owner = anInstallation({ vendor: 'mi', registrationId: unique('r') });
    const { objectId = '' } = fieldsOf(await ingress.asMaster('POST', PATH, { body: owner }));
    const { registrationId = '' } = owner as Record<string, string>;
    expect(await takenOf(() => put({ channels: channels(1000), registrationId }, ADDRESS))).toBeGreaterThan(0);
    const back = await ingress.asMaster('PUT', `${PATH}/${objectId}`, { body: { registrationId } });
    expect(back.status).toBe(200);
    expect((await put({ channels: channels(1000), registrationId })).status).toBe(429);
    expect((await ingress.asMaster('GET', `${PATH}/${objectId}`)).body).toMatchObject({ registrationId });
  });
});

describe('a save counts as one', () => {
  it('for each device that subscribes to some tens of channels', async () => {
    const { ingress } = await anIngressWithDevice();
    const save = () =>
      ingress.call('POST', PATH, { body: anInstallation({ channels: channels(50) }), headers: from(ADDRESS) });
    expect(await takenOf(save)).toBe(AT_ONCE);
  });

  it('where the device brings a thousand channels that it has, changes another column or changes one channel', async () => {
    const { put, asMaster } = await anIngressWithDevice();
    const names = channels(1000);
    expect((await asMaster({ channels: names })).status).toBe(200);
    const bodies: JsonObject[] = [
      { channels: names },
      { city: 'Oslo' },
      { channels: names.slice(1) },
      { city: 'Rome' },
    ];
    expect(await takenOf((i) => put(bodies[i % bodies.length] ?? {}))).toBe(AT_ONCE);
  });

  it('by the master key, whatever it changes', async () => {
    const { asMaster, put } = await anIngressWithDevice();
    for (let i = 0; i < 6; i += 1) expect((await asMaster({ channels: channels(1000) })).status).toBe(200);
    expect((await put({ city: 'Oslo' })).status).toBe(200);
  });
});

test('one save is taken however low the limit is', async () => {
  const { put } = await anIngressWithDevice({ savesPerSecond: 1 });
  expect((await put({ channels: channels(1000) })).status).toBe(200);
  expect((await put({ city: 'Oslo' })).status).toBe(429);
});
