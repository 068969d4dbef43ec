import { compileWhere, InvalidInput, parseWhere, type Json, type JsonObject } from '@pushfleet/domain';
import { anInstallation, unique } from '@pushfleet/testing';
import { acceptOne } from '../testing/a-push';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

const register = async (app: string, body: JsonObject): Promise<string> => {
  const saved = await t.store.installations.save({ app, body: anInstallation(body), now: t.clock.now() });
  return saved?.installation.objectId ?? '';
};
const pointer = (objectId: string): JsonObject => ({ __type: 'Pointer', className: '_Installation', objectId });
const query = (where: Json): JsonObject => ({ className: '_Installation', where });
const namesFor = async (app: string, where: Json): Promise<readonly string[]> => {
  const found = await t.store.installations.find({
    ...{ app, where: parseWhere(where) },
    ...{ limit: 100, skip: 0, count: false },
  });
  return found.results.map((installation) => String(installation['name'])).sort();
};

beforeAll(async () => {
  const hub = await register(t.app, { name: 'hub', kind: 'hub', room: 'kitchen' });
  const other = await register(t.app, { name: 'other', kind: 'hub', room: 'hall' });
  await register(t.app, { name: 'lamp', peer: pointer(hub), room: 'kitchen' });
  await register(t.app, { name: 'radio', peer: pointer(other), room: 'attic' });
  await register(t.app, { name: 'clock', peers: [pointer(other), pointer(hub)] });
  await register(`${t.app}2`, { name: 'stranger', kind: 'hub', room: 'attic' });
});

it.each<[Json, readonly string[]]>([
  [{ peer: { $inQuery: query({ name: 'hub' }) } }, ['lamp']],
  [{ peer: { $inQuery: query({ kind: 'hub' }) } }, ['lamp', 'radio']],
  [{ peers: { $inQuery: query({ name: 'hub' }) } }, ['clock']],
  [{ peer: { $notInQuery: query({ name: 'hub' }) } }, ['clock', 'hub', 'other', 'radio']],
  [{ kind: null, room: { $select: { query: query({ kind: 'hub' }), key: 'room' } } }, ['lamp']],
  [{ kind: null, room: { $dontSelect: { query: query({ kind: 'hub' }), key: 'room' } } }, ['clock', 'radio']],
  [{ $or: [{ peer: { $inQuery: query({ room: 'hall' }) } }, { name: 'hub' }] }, ['hub', 'radio']],
  [
    { room: { $select: { query: query({ peer: { $inQuery: query({ name: 'hub' }) } }), key: 'room' } } },
    ['hub', 'lamp'],
  ],
  [{ peer: { $inQuery: query({ name: 'nobody' }) } }, []],
])('%j finds %j among the installations of its app', async (where, names) => {
  expect(await namesFor(t.app, where)).toEqual(names);
});

it('a condition without sub-queries is not even copied', async () => {
  const where = parseWhere({ name: 'hub' });
  expect(await t.store.installations.resolve(t.app, where)).toBe(where);
});

it('a sub-query that finds more than a thousand installations is refused', async () => {
  const app = unique('crowd');
  const rows = Array.from({ length: 1001 }, (_, i) => ({ i, name: unique('n') }));
  for (let i = 0; i < rows.length; i += 100) await Promise.all(rows.slice(i, i + 100).map((row) => register(app, row)));
  const asking = (where: Json) => parseWhere({ peer: { $inQuery: query(where) } });
  const refused = t.store.installations.resolve(app, asking({}));
  await expect(refused).rejects.toThrow(InvalidInput);
  await expect(refused).rejects.toThrow('more than 1000');
  const matches = compileWhere(await t.store.installations.resolve(app, asking({ i: { $gt: 0 } })));
  expect(matches({ peer: pointer('x') })).toBe(false);
});

describe('the resolved audience of a push', () => {
  it('is the one that was kept first, for everybody who sends it', async () => {
    const predicate = parseWhere({ peer: { $inQuery: query({ name: 'hub' }) } });
    const pushId = await acceptOne(t, { audience: { subscriptions: ['a'], predicate } });
    const first = { subscriptions: ['a'], predicate: { n: 1 } };
    expect(await t.store.pushes.keepResolved(pushId, first)).toEqual(first);
    expect(await t.store.pushes.keepResolved(pushId, { predicate: { n: 2 } })).toEqual(first);
    expect((await t.store.pushes.toSend(pushId))?.audience).toEqual(first);
  });

  it('does not bring back a record that is gone', async () => {
    const pushId = 'a'.repeat(14) + '00';
    expect(await t.store.pushes.keepResolved(pushId, {})).toEqual({});
    expect(await t.redis.exists(t.keys.pushRecord(pushId))).toBe(0);
  });
});
