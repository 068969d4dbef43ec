import AV from 'leancloud-storage';
import { Fleet, type DemoApp } from './fleet';

let fleet: Fleet;
let app: DemoApp;

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp(['hms', 'oppo', 'own']));
  AV.init({ appId: app.id, appKey: app.key, masterKey: app.masterKey, serverURL: fleet.url('ingress') });
});

afterAll(() => fleet.stop());

/** As a server: queries of devices are not for whoever has the app. */
const MASTER = { useMasterKey: true };

/** The SDK's types know neither custom fields of an installation nor the answer of a push. */
const register = (installationId: string, attributes: Record<string, unknown> = {}): Promise<AV.Object> => {
  const installation: AV.Object = new AV.Installation();
  return installation.save({ installationId, deviceType: 'android', ...attributes });
};

const installations = (): AV.Query<AV.Installation> => new AV.Query<AV.Installation>('_Installation');

const send = (
  push: Record<string, unknown>,
  options?: AV.AuthOptions,
): Promise<{ objectId: string; createdAt: string }> => AV.Push.send(push, options);

describe('the unmodified JavaScript SDK', () => {
  test('a first save creates an installation', async () => {
    const installation = await register('first-save', { channels: ['a'], custom: { nested: [1, 'two'] } });
    expect(installation.id).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(installation.createdAt).toBeInstanceOf(Date);
  });

  test('a later save sends operations that change the stored arrays and counters', async () => {
    const installation = await register('later-save', { channels: ['a', 'b'], launches: 1, note: 'x' });
    installation.addUnique('channels', 'c');
    installation.increment('launches', 2);
    installation.unset('note');
    await installation.save();
    installation.remove('channels', 'a');
    await installation.save();
    const read = await installations().get(installation.id ?? '');
    expect([read.get('channels'), read.get('launches'), read.get('note')]).toEqual([['b', 'c'], 3, undefined]);
  });

  test('fetchWhenSave returns what the server holds', async () => {
    const first = await register('fetch-when-save', { launches: 5 });
    const same: AV.Object = new AV.Installation();
    await same.save({ installationId: 'fetch-when-save', deviceType: 'android' }, { fetchWhenSave: true });
    expect([same.id, same.get('launches')]).toEqual([first.id, 5]);
    first.increment('launches');
    await first.save(null, { fetchWhenSave: true });
    expect(first.get('launches')).toBe(6);
  });

  test('find by equality, first and count agree', async () => {
    await register('find-1', { colour: 'green' });
    await register('find-2', { colour: 'green' });
    await register('find-3', { colour: 'red' });
    const query = (): AV.Query<AV.Installation> => installations().equalTo('colour', 'green');
    expect((await query().find(MASTER)).map((found) => found.get('installationId')).sort()).toEqual([
      'find-1',
      'find-2',
    ]);
    expect(await query().limit(1).find(MASTER)).toHaveLength(1);
    expect(await query().count(MASTER)).toBe(2);
    expect((await query().first(MASTER))?.get('colour')).toBe('green');
    expect(await installations().equalTo('colour', 'blue').first(MASTER)).toBeUndefined();
  });

  test('the app key finds itself by its installationId, and nobody else', async () => {
    const { id } = await register('find-me');
    expect((await installations().equalTo('installationId', 'find-me').first())?.id).toBe(id);
    await expect(installations().equalTo('deviceType', 'android').find()).rejects.toMatchObject({ code: 119 });
    await expect(installations().count()).rejects.toMatchObject({ code: 119 });
  });

  test('get and fetch, which carry the body null and a trailing question mark', async () => {
    const installation = await register('get-and-fetch', { launches: 1 });
    const read = await installations().get(installation.id ?? '');
    expect(read.get('installationId')).toBe('get-and-fetch');
    await read.set('launches', 9).save();
    expect((await installation.fetch()).get('launches')).toBe(9);
    await expect(installations().get('nobody')).rejects.toMatchObject({ code: 101 });
  });

  test('getServerDate tells the time', async () => {
    const date = await AV.Cloud.getServerDate();
    expect(Math.abs(date.getTime() - Date.now())).toBeLessThan(60_000);
  });

  test('destroy with the master key removes the installation', async () => {
    const installation = await register('destroyed');
    await installation.destroy(MASTER);
    expect(await installations().equalTo('installationId', 'destroyed').count(MASTER)).toBe(0);
  });

  test('Push.send by channels reaches the subscribers through their vendor', async () => {
    await register('subscriber', { channels: ['public'], vendor: 'HMS', registrationId: 'sdk-subscriber' });
    await register('stranger', { channels: ['private'], vendor: 'HMS', registrationId: 'sdk-stranger' });
    const { objectId, createdAt } = await send({ channels: ['public'], data: { alert: 'Hello', k: 'v' } });
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    const record = await fleet.done(app, objectId);
    expect(record).toMatchObject({ devices: 1, successes: 1, hmsSuccesses: 1 });
    const { results } = await fleet.simulator<{ results: { registrationIds: string[] }[] }>(
      'GET',
      '/messages?channel=hms&limit=1',
    );
    expect(results[0]?.registrationIds).toEqual(['sdk-subscriber']);
  });

  test('Push.send with a Query and dates, signed with the master key', async () => {
    await register('queried', { vendor: 'oppo', registrationId: 'sdk-queried', level: 7 });
    const push = {
      where: installations().equalTo('level', 7),
      push_time: new Date(),
      expiration_time: new Date(Date.now() + 3_600_000),
      data: { alert: 'Level' },
      prod: 'dev',
    };
    const { objectId } = await send(push, MASTER);
    expect(await fleet.done(app, objectId)).toMatchObject({ devices: 1, oppoSuccesses: 1, prod: 'dev' });
  });

  test('the record can be read through AV.request', async () => {
    const { objectId } = await send({
      where: installations().equalTo('level', -1),
      data: { alert: 'x' },
    });
    await fleet.done(app, objectId);
    for (const path of [`/tables/Notifications/${objectId}`, `/notifications/${objectId}`]) {
      const asServer = { method: 'GET', path, authOptions: MASTER } as const;
      expect(await AV.request(asServer as never)).toMatchObject({ objectId, status: 'done', devices: 0 });
      expect(await AV.request({ method: 'GET', path })).toEqual({ objectId, status: 'done' });
    }
  });

  test('a push without data is refused with the field it misses', async () => {
    await expect(send({})).rejects.toMatchObject({ code: 113, rawMessage: expect.stringContaining('data') });
  });

  test('a wrong key is refused with 401', async () => {
    const wrong = { ...app, key: 'wrong' };
    await expect(fleet.call(wrong, ['GET', '/installations'])).rejects.toThrow(/401/);
  });
});
