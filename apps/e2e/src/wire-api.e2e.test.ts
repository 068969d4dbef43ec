import AV from 'leancloud-storage';
import openInstallations from 'leancloud-installation';
import { until } from '@pushfleet/testing';
import { expectBalanced, Fleet, type DemoApp, type WireRecord } from './fleet';

let fleet: Fleet;
let app: DemoApp;
const MASTER = { useMasterKey: true };

beforeAll(async () => {
  ({ fleet, app } = await Fleet.withApp(['hms', 'mz']));
  AV.init({ appId: app.id, appKey: app.key, masterKey: app.masterKey, serverURL: fleet.url('ingress') });
});

afterAll(() => fleet.stop());

/** The SDK's types know neither custom fields of an installation nor all of its options. */
const device = (attributes: Record<string, unknown>): AV.Object => {
  const installation: AV.Object = new AV.Installation();
  return installation.set({ deviceType: 'android', ...attributes });
};
const installations = (): AV.Query<AV.Installation> => new AV.Query<AV.Installation>('_Installation');
const request = <T>(method: 'GET' | 'POST' | 'DELETE', path: string, data?: object): Promise<T> =>
  AV.request({ method, path, ...(data ? { data } : {}), authOptions: MASTER } as never) as Promise<T>;

describe('batches of the unmodified JavaScript SDK', () => {
  test('saveAll, fetchAll and destroyAll', async () => {
    const devices = ['a', 'b', 'c'].map((name) => device({ installationId: `batch-${name}`, group: 'batch' }));
    await AV.Object.saveAll(devices);
    expect(new Set(devices.map(({ id }) => id)).size).toBe(3);
    await devices[0]?.save({ level: 9 });
    const copies = devices.map(({ id }) => AV.Object.createWithoutData('_Installation', id ?? ''));
    await AV.Object.fetchAll(copies);
    expect(copies.map((copy) => copy.get('level'))).toEqual([9, undefined, undefined]);
    await AV.Object.destroyAll(devices, MASTER);
    expect(await installations().equalTo('group', 'batch').count(MASTER)).toBe(0);
  });

  test('a query too long for an address', async () => {
    await device({ installationId: 'long-query', vendor: 'HMS', registrationId: 'long-1' }).save();
    const many = ['long-1', ...Array.from({ length: 300 }, (_, i) => `nobody-${i}`)];
    const found = await installations().containedIn('registrationId', many).find(MASTER);
    expect(found.map((each) => each.get('installationId'))).toEqual(['long-query']);
  });
});

describe('queries of the unmodified JavaScript SDK', () => {
  beforeAll(async () => {
    await AV.Object.saveAll([3, 1, 2].map((level) => device({ installationId: `q-${level}`, level, kind: 'query' })));
  });

  test('in an order, with some keys, and the count beside', async () => {
    const query = installations().equalTo('kind', 'query').descending('level').limit(2).select('level');
    const [found, count] = await query.findAndCount(MASTER);
    expect([found.map((each) => each.get('level')), count]).toEqual([[3, 2], 3]);
    expect(found[0]?.get('installationId')).toBeUndefined();
  });

  test('scan walks over everything with the master key', async () => {
    const seen: unknown[] = [];
    const iterator = installations().equalTo('kind', 'query').scan({ batchSize: 2 }, MASTER);
    for (;;) {
      const { value, done } = (await iterator.next()) as { value?: AV.Object; done: boolean };
      if (value) seen.push(value.get('level'));
      if (done) break;
    }
    expect(seen.sort()).toEqual([1, 2, 3]);
  });

  test('cloud queries find and count', async () => {
    const found = await AV.Query.doCloudQuery(
      'select * from _Installation where kind = ? order by level',
      ['query'],
      MASTER,
    );
    const { results } = found as unknown as { results: AV.Object[] };
    expect(results.map((each) => each.get('level'))).toEqual([1, 2, 3]);
    expect(
      await AV.Query.doCloudQuery("select count(*) from _Installation where kind = 'query'", [], MASTER),
    ).toMatchObject({
      count: 3,
    });
    await expect(AV.Query.doCloudQuery('select nonsense', [], MASTER)).rejects.toMatchObject({ code: 300 });
  });

  test('a save under a condition that does not hold is refused', async () => {
    const found = await installations().equalTo('level', 2).first(MASTER);
    const query = installations().equalTo('level', 99);
    const saved = found?.save({ level: 4 }, { query } as never);
    await expect(saved).rejects.toMatchObject({ code: 305 });
  });
});

describe('pushes', () => {
  test('to addresses that the sender knows, without any installation', async () => {
    const { objectId } = await request<{ objectId: string }>('POST', '/push/devices', {
      ...{ device_type: 'android', vendor: 'HMS', device_ids: ['known-1', 'known-2', 'gone-3'] },
      data: { alert: 'hi' },
    });
    const record = await fleet.done(app, objectId);
    expectBalanced(record);
    expect(record).toMatchObject({ devices: 3, successes: 2, errors: [{ samples: ['gone-3'] }] });
  });

  test('many in one batch', async () => {
    const requests = Array.from({ length: 100 }, (_, i) => ({
      ...{ method: 'POST', path: '/1.1/push' },
      body: { where: { installationId: 'long-query' }, data: { alert: `n${i}` } },
    }));
    const results = await request<{ success: { objectId: string } }[]>('POST', '/batch', { requests });
    const records = await Promise.all(results.map(({ success }) => fleet.done(app, success.objectId)));
    expect(records.every(({ successes }) => successes === 1)).toBe(true);
  });

  test('by cql', async () => {
    const push = { cql: "select * from _Installation where installationId = 'long-query'", data: { alert: 'cql' } };
    const { objectId } = (await AV.Push.send(push)) as { objectId: string };
    expect(await fleet.done(app, objectId)).toMatchObject({ successes: 1 });
  });

  test('that wait can be listed and cancelled, and send nothing', async () => {
    const at = new Date(Date.now() + 3_600_000);
    const { objectId } = (await AV.Push.send({ push_time: at, data: { alert: 'later' } })) as { objectId: string };
    type Scheduled = { id: number; expire_time: number; push_msg: { id: string } };
    const list = async () => (await request<{ results: Scheduled[] }>('GET', '/scheduledPushMessages')).results;
    const [waiting] = await list();
    expect(waiting).toMatchObject({ expire_time: at.getTime(), push_msg: { id: objectId } });
    await request('DELETE', `/scheduledPushMessages/${waiting?.id}`);
    expect(await list()).toEqual([]);
    expect(await request('GET', `/notifications/${objectId}`)).toEqual({});
  });

  test('a campaign that is cancelled stops, and the operator sees every device booked', async () => {
    const ids = Array.from({ length: 3000 }, (_, i) => device({ installationId: `c-${i}`, channels: ['campaign'] }));
    ids.forEach((each, i) => each.set({ vendor: 'mz', registrationId: `campaign-${i}` }));
    await AV.Object.saveAll(ids);
    // Longer than a busy machine takes to cancel: by then not every call has begun.
    await fleet.simulator('PUT', '/faults', { channel: 'mz', kind: 'slow', delayMs: 5000 });
    const { objectId } = await fleet.push(app, { channels: ['campaign'], data: { alert: 'stop me' } });
    await until(async () => (await fleet.record(app, objectId)).channels['mz'] !== undefined);
    const cancelled = await request<Record<string, number>>('DELETE', `/notifications/${objectId}`);
    expect(Object.keys(cancelled).sort()).toEqual(['cancelled', 'outstanding', 'sent']);
    await fleet.simulator('DELETE', '/faults');
    const record = await until(
      async () => {
        const found = await fleet.admin<WireRecord>('GET', `/apps/${app.id}/pushes/${objectId}`);
        if (found.status !== 'done') throw new Error(JSON.stringify(found));
        return found;
      },
      { everyMs: 100 },
    );
    expectBalanced(record);
    const booked = record.channels['mz'];
    expect(booked).toMatchObject({ matched: 3000, outstanding: 0, discarded: { cancelled: expect.any(Number) } });
    expect(await request('GET', `/notifications/${objectId}`)).toEqual({});
  });
});

test('leancloud-installation registers, sends what changed, and finds itself again', async () => {
  const current = await openInstallations(AV).getCurrent();
  await current.save({ deviceType: 'android', installationId: 'of-the-kit', channels: ['a'] });
  current.addUnique('channels', 'b');
  current.unset('deviceToken');
  await current.save();
  const again = await openInstallations(AV).getCurrent();
  expect(again.id).toBe(current.id);
  const stored = await installations().equalTo('installationId', 'of-the-kit').find();
  expect(stored.map((each) => each.get('channels'))).toEqual([['a', 'b']]);
});

test('an app over its calls is told when to come back, as an error of the SDK', async () => {
  const limited = await fleet.createApp({ limits: { callsPerMinute: 2 } });
  const push = () => fleet.push(limited, { data: { alert: 'x' } });
  await push();
  await push();
  await expect(push()).rejects.toThrow(/429/);
});
