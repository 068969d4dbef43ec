import type { JsonObject } from '@pushfleet/domain';
import { anInstallation, unique } from '@pushfleet/testing';
import { storeUnderTest } from '../testing/store-under-test';
import type { FindRequest } from './find';

const t = storeUnderTest();
const ids: string[] = [];
const addresses = { installationId: unique('i'), deviceToken: unique('t'), registrationId: unique('r') };

beforeAll(async () => {
  for (let i = 0; i < 30; i += 1) {
    const body = anInstallation({ i, city: i % 3 === 0 ? 'Berlin' : 'Paris', ...(i === 7 ? addresses : {}) });
    const saved = await t.store.installations.save({ app: t.app, body, now: t.clock.now() });
    ids.push(saved?.installation.objectId ?? '');
  }
});

const find = (where: JsonObject, range: Partial<FindRequest> = {}) =>
  t.store.installations.find({ app: t.app, where, limit: 100, skip: 0, count: false, ...range });
const numbers = async (where: JsonObject): Promise<readonly number[]> =>
  (await find(where)).results.map((found) => Number(found['i'])).sort((a, b) => a - b);

it.each(Object.entries(addresses))('a device is found by its %s', async (field, value) => {
  expect(await numbers({ [field]: value })).toEqual([7]);
  expect(await numbers({ [field]: { $in: ['unknown', value] } })).toEqual([7]);
  expect(await numbers({ [field]: value, city: 'Berlin' })).toEqual([]);
  expect(await numbers({ [field]: 'unknown' })).toEqual([]);
});

it('devices are found by objectId, in the order of the list', async () => {
  const { results } = await find({ objectId: { $in: [ids[3], 'unknown', ids[1]] as string[] } });
  expect(results.map((found) => found.objectId)).toEqual([ids[3], ids[1]]);
});

it('an address that another app uses finds nothing', async () => {
  const request = { app: `${t.app}other`, limit: 10, skip: 0, count: false };
  expect(await t.store.installations.find({ ...request, where: addresses })).toEqual({ results: [] });
});

it('devices are found by any field, every one once', async () => {
  expect(await numbers({ city: 'Berlin' })).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
  expect(await numbers({})).toEqual(Array.from({ length: 30 }, (_, i) => i));
  expect(await numbers({ registrationId: { $exists: false } })).toEqual([]);
});

it('devices that are not valid are found too', async () => {
  const body = anInstallation({ valid: false, kind: 'off' });
  const saved = await t.store.installations.save({ app: t.app, body, now: t.clock.now() });
  expect((await find({ kind: 'off' })).results).toEqual([saved?.installation]);
  expect((await find({ registrationId: body['registrationId'] ?? null })).results).toEqual([saved?.installation]);
  await t.store.installations.remove(t.app, saved?.installation.objectId ?? '');
});

it('limit and skip page through the matches without overlap', async () => {
  const pages = [];
  for (let skip = 0; skip < 12; skip += 4) pages.push(...(await find({ city: 'Berlin' }, { limit: 4, skip })).results);
  expect(new Set(pages.map((found) => found.objectId)).size).toBe(10);
});

it('count tells all matches whatever the limit', async () => {
  const found = await find({ city: 'Berlin' }, { limit: 2, count: true });
  expect(found.results).toHaveLength(2);
  expect(found.count).toBe(10);
  expect(await find({ city: 'Berlin' }, { limit: 0, count: true })).toEqual({ results: [], count: 10 });
  expect(await find({ city: 'Berlin' }, { limit: 0 })).toEqual({ results: [] });
});

it('an addressed push finds valid devices alone, with their buckets', async () => {
  const body = anInstallation({ valid: false });
  const saved = await t.store.installations.save({ app: t.app, body, now: t.clock.now() });
  const values = [ids[7] ?? '', saved?.installation.objectId ?? '', 'unknown'];
  const found = await t.store.installations.addressed(t.app, { field: 'objectId', values });
  expect(found.map(({ installation, bucket }) => [installation.objectId, bucket])).toEqual([[ids[7], 'hms/_default']]);
});
