import { aPushRequest, redisHarness, unique } from '@pushfleet/testing';
import { Books } from '@pushfleet/store';
import { openCancelPush } from '../cancel-push';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

const LANE = { id: 1, channel: 'hms', profile: '_default', bucket: 'hms/_default', fromShard: 0, toShard: 256 };

const push = async (overrides = {}): Promise<string> =>
  fieldsOf(await ingress.call('POST', '/1.1/push', { body: aPushRequest(overrides) }))['objectId'] ?? '';

describe('200', () => {
  it.each(['/1.1/notifications', '/1.1/tables/Notifications'])('%s reads a record by its id', async (path) => {
    const objectId = await push({ data: { alert: 'hi' } });
    expect(await ingress.asMaster('GET', `${path}/${objectId}?`)).toMatchObject({
      status: 200,
      body: {
        ...{ objectId, notificationId: objectId, status: 'in-queue', 'from-service': 'push', prod: 'prod' },
        ...{ msg: { alert: 'hi' }, devices: 0, successes: 0, lcSuccesses: 0, miSuccesses: 0, invalidTokens: 0 },
        ...{ errors: [], channels: {}, 'push-time': expect.stringMatching(/Z$/) },
      },
    });
  });

  it('pushes that share a notification id are read as one', async () => {
    const notification_id = unique('n').slice(0, 16);
    const first = await push({ notification_id });
    await push({ notification_id });
    const reply = await ingress.asMaster('GET', `/1.1/notifications/${notification_id}`);
    expect(reply).toMatchObject({ status: 200, body: { notificationId: notification_id } });
    expect(typeof fieldsOf(reply)['objectId']).toBe('string');
    expect((await ingress.store.pushes.find(ingress.app.id, notification_id)).length).toBe(2);
    expect(first).not.toBe('');
  });

  it('an unknown id is an empty object', async () => {
    const { objectId } = fieldsOf(
      await (await openIngress(harness)).call('POST', '/1.1/push', { body: aPushRequest() }),
    );
    expect(await ingress.call('GET', `/1.1/notifications/${objectId}`)).toMatchObject({ status: 200, body: {} });
    expect(await ingress.asMaster('GET', '/1.1/notifications/nobody')).toMatchObject({ status: 200, body: {} });
  });

  it('a push of another app is as good as unknown', async () => {
    const other = await openIngress(harness);
    const objectId = await push();
    expect(await other.call('GET', `/1.1/notifications/${objectId}`)).toMatchObject({ status: 200, body: {} });
  });

  it('the list is the newest first, in pages', async () => {
    const other = await openIngress(harness);
    const ids = [];
    for (let i = 0; i < 3; i += 1) {
      const reply = await other.call('POST', '/1.1/push', { body: aPushRequest() });
      const objectId = fieldsOf(reply)['objectId'] ?? '';
      await other.store.pushes.index(other.app.id, [{ pushId: objectId, createdAt: i + 1 }]);
      ids.unshift(objectId);
    }
    const list = async (query: string): Promise<readonly string[]> => {
      const { body } = await other.asMaster('GET', `/1.1/notifications${query}`);
      return (body as { results: { objectId: string }[] }).results.map(({ objectId }) => objectId);
    };
    expect(await list('')).toEqual(ids);
    expect(await list('?limit=1&skip=1')).toEqual(ids.slice(1, 2));
    expect(await list('?from=2&to=3')).toEqual(ids.slice(0, 2));
    expect(await list('?status=done')).toEqual([]);
    await other.asMaster('DELETE', `/1.1/notifications/${ids[0]}`);
    expect(await list('')).toEqual(ids.slice(1));
  });

  it('a cancel of a push that is under way tells whom the workers booked as cancelled because of it', async () => {
    const objectId = await push();
    const { pushes, schedule, ledger } = ingress.store;
    await ledger.plan({ pushId: objectId, lanes: [LANE], pages: [], books: [], now: Date.now() });
    const books = new Books('hms');
    for (const counter of ['expected', 'matched'] as const) books.add(counter, 6);
    books.refuse('discarded', 'cancelled', { count: 6, samples: [] });
    let reads = 0;
    const at = Date.now();
    const cancelPush = openCancelPush({
      pushes: {
        cancel: pushes.cancel,
        async read(id) {
          const part = { lane: 1, from: { shard: 0, objectId: '' }, to: 'done' } as const;
          if ((reads += 1) === 3) await ledger.fold({ pushId: id, part, books, now: Date.now() });
          return pushes.read(id);
        },
      },
      ...{ schedule, requests: { add: () => Promise.resolve() }, now: () => at },
    });
    const told = await cancelPush(ingress.app.id, await pushes.find(ingress.app.id, objectId));
    expect(told).toEqual({ cancelled: 6, sent: 0, outstanding: 0 });
    expect(await pushes.read(objectId)).toMatchObject({ status: 'done', cancelledAt: expect.any(Number) });
  });

  it('a cancel tells what was sent and hides the record from the API alone', async () => {
    const objectId = await push();
    await ingress.store.ledger.plan({ pushId: objectId, lanes: [LANE], pages: [], books: [], now: Date.now() });
    const books = new Books('hms');
    for (const [counter, count] of [
      ['expected', 10],
      ['matched', 4],
      ['accepted', 4],
    ] as const)
      books.add(counter, count);
    const part = { lane: 1, from: { shard: 0, objectId: '' }, to: { shard: 7, objectId: 'x' } };
    await ingress.store.ledger.fold({ pushId: objectId, part, books, now: Date.now() });
    const cancelled = await ingress.asMaster('DELETE', `/1.1/tables/Notifications/${objectId}`);
    expect(cancelled).toMatchObject({ status: 200, body: { cancelled: 0, sent: 4, outstanding: 6 } });
    expect((await ingress.call('GET', `/1.1/notifications/${objectId}`)).body).toEqual({});
    expect(await ingress.store.pushes.read(objectId)).toMatchObject({ status: 'in-queue', isCancelled: true });
    expect((await ingress.asMaster('DELETE', `/1.1/notifications/${objectId}`)).body).toEqual({});
    const folded = await ingress.store.ledger.fold({
      ...{ pushId: objectId, books: new Books('hms'), now: Date.now() },
      part: { lane: 1, from: part.to, to: 'done' },
    });
    expect(folded).toMatchObject({ state: 'folded', isCancelled: true });
  });
});

describe('400', () => {
  it.each(['status=sent', 'from=yesterday'])('the list with %s', async (query) => {
    const reply = await ingress.asMaster('GET', `/1.1/notifications?${query}`);
    expect(reply).toMatchObject({ status: 400, body: errorBody(102, /./) });
  });
});

describe('401', () => {
  it.each(['', '/x'])('/1.1/notifications%s with a wrong key', async (path) => {
    expect(await ingress.call('GET', `/1.1/notifications${path}`, { key: 'wrong' })).toMatchObject({
      status: 401,
      body: errorBody(401, /./),
    });
  });
});
