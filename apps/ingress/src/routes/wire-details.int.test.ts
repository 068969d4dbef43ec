import { anInstallation, redisHarness, unique } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress, type Reply } from '../testing/ingress-harness';

const harness = redisHarness();
const PATH = '/1.1/installations';
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

interface Found {
  readonly results: readonly Readonly<Record<string, unknown>>[];
  readonly count?: number;
}

const find = async (query: Readonly<Record<string, string>>): Promise<Found> =>
  (await ingress.asMaster('GET', `${PATH}?${new URLSearchParams(query).toString()}`)).body as Found;
const register = (overrides: object): Promise<Reply> =>
  ingress.call('POST', PATH, { body: { ...anInstallation(), ...overrides } });
const at = (latitude: number, longitude: number) => ({ __type: 'GeoPoint', latitude, longitude });

describe('order by distance', () => {
  const group = unique('geo');
  const near = { group, place: { $nearSphere: at(0, 0) } };
  const namesIn = ({ results }: Found) => results.map(({ name }) => name);

  beforeAll(async () => {
    for (const [name, longitude] of [['far', 60] as const, ['nearest', 1] as const, ['middle', 20] as const])
      await register({ group, name, place: at(0, longitude) });
    await register({ group, name: 'nowhere' });
  });

  it('the nearest come first where no order is asked for', async () => {
    expect(namesIn(await find({ where: JSON.stringify(near) }))).toEqual(['nearest', 'middle', 'far']);
  });

  it('pages and counts go by it', async () => {
    const page = await find({ where: JSON.stringify(near), skip: '1', limit: '1', count: '1' });
    expect([namesIn(page), page.count]).toEqual([['middle'], 3]);
  });

  it('an order that is asked for comes before it, and a limit cuts the farther ones off', async () => {
    expect(namesIn(await find({ where: JSON.stringify(near), order: 'name' }))).toEqual(['far', 'middle', 'nearest']);
    const around = { ...near, place: { ...near.place, $maxDistanceInKilometers: 2500 } };
    expect(namesIn(await find({ where: JSON.stringify(around) }))).toEqual(['nearest', 'middle']);
  });
});

it('a fresh installation is valid, and a condition may say so', async () => {
  const group = unique('valid');
  await register({ group });
  const { objectId } = fieldsOf(await register({ group, valid: false }));
  await ingress.asMaster('PUT', `${PATH}/${objectId}`, { body: { valid: false } });
  for (const [valid, count] of [
    [true, 1],
    [false, 1],
  ] as const)
    expect(await find({ where: JSON.stringify({ group, valid }), count: '1' })).toMatchObject({ count });
});

it('a save that takes the name of another installation is told its objectId', async () => {
  const mine = fieldsOf(await register({}))['objectId'];
  const installationId = unique('i');
  const other = fieldsOf(await register({ installationId }))['objectId'];
  const reply = await ingress.call('PUT', `${PATH}/${mine}`, { body: { installationId, channels: ['a'] } });
  expect(reply).toMatchObject({ status: 200, body: { objectId: other } });
});

describe('batch', () => {
  it('takes a thousand pushes in one body', async () => {
    const requests = Array.from({ length: 1000 }, (_, i) => ({
      ...{ method: 'POST', path: '/1.1/push' },
      body: { data: { alert: `n${i}` }, where: { installationId: `i${i}` } },
    }));
    const { status, body } = await ingress.call('POST', '/1.1/batch', { body: { requests } });
    const ids = (body as { success: { objectId: string } }[]).map(({ success }) => success.objectId);
    expect([status, new Set(ids).size]).toEqual([200, 1000]);
  });

  it('an element has the rights of the key and no more', async () => {
    const objectId = fieldsOf(await register({}))['objectId'];
    const requests = [{ method: 'DELETE', path: `${PATH}/${objectId}`, body: {} }];
    const { body } = await ingress.call('POST', '/1.1/batch', { body: { requests } });
    expect(body).toEqual([{ error: errorBody(119, /master key/) }]);
  });
});
