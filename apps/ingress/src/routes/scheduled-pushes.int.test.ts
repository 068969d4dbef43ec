import { aPushRequest, redisHarness } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeEach(async () => {
  ingress = await openIngress(harness);
});

const PATH = '/1.1/scheduledPushMessages';
const AT = new Date(Date.now() + 3_600_000).toISOString();
const schedule = async (overrides = {}): Promise<string> => {
  const body = aPushRequest({ push_time: AT, ...overrides });
  return fieldsOf(await ingress.call('POST', '/1.1/push', { body }))['objectId'] ?? '';
};
const list = async (query = '') =>
  ((await ingress.asMaster('GET', PATH + query)).body as { results: { id: number }[] }).results;

describe('200', () => {
  it('each waits under a number of its app, as it will be sent', async () => {
    const id = await schedule({ where: { vendor: 'mi' }, notification_id: 'n1', data: { alert: 'later' } });
    expect(await list()).toEqual([
      {
        id: 1,
        expire_time: Date.parse(AT),
        createdAt: expect.stringMatching(/Z$/),
        push_msg: {
          ...{ 'app-id': ingress.app.id, 'api-version': '1.1', prod: 'prod', id, notificationId: 'n1' },
          where: { sort: { createdAt: 1 }, query: { vendor: 'mi', valid: true } },
          msg: { alert: 'later' },
        },
      },
    ]);
  });

  it('the list is in pages, the first to be sent first', async () => {
    for (let i = 0; i < 3; i += 1) await schedule({ push_time: new Date(Date.parse(AT) - i * 1000).toISOString() });
    expect((await list()).map(({ id }) => id)).toEqual([3, 2, 1]);
    expect((await list('?limit=1&skip=1')).map(({ id }) => id)).toEqual([2]);
  });

  it('one that is cancelled is gone from every route, and stays with the operator', async () => {
    const objectId = await schedule();
    const reply = await ingress.asMaster('DELETE', `${PATH}/1`);
    expect(reply).toMatchObject({ status: 200, body: { cancelled: 0, sent: 0, outstanding: 0 } });
    expect(await list()).toEqual([]);
    expect((await ingress.call('GET', `/1.1/notifications/${objectId}`)).body).toEqual({});
    expect(await ingress.store.pushes.read(objectId)).toMatchObject({ status: 'done', isCancelled: true });
  });

  it('it can be cancelled as a record, too', async () => {
    const objectId = await schedule();
    await ingress.asMaster('DELETE', `/1.1/notifications/${objectId}`);
    expect(await list()).toEqual([]);
  });

  it('the id of the push, which stands beside its number, cancels it as well', async () => {
    const objectId = await schedule();
    const reply = await ingress.asMaster('DELETE', `${PATH}/${objectId}`);
    expect(reply).toMatchObject({ status: 200, body: { cancelled: 0, sent: 0, outstanding: 0 } });
    expect(await list()).toEqual([]);
  });

  it('the id of a push that does not wait cancels nothing', async () => {
    const objectId = await schedule({ push_time: undefined });
    expect(await ingress.asMaster('DELETE', `${PATH}/${objectId}`)).toMatchObject({ status: 200, body: {} });
    expect(await ingress.store.pushes.read(objectId)).not.toHaveProperty('isCancelled', true);
  });

  it.each(['2', 'x', '1e3'])('cancelling %s, which does not wait, changes nothing', async (id) => {
    await schedule();
    expect(await ingress.asMaster('DELETE', `${PATH}/${id}`)).toMatchObject({ status: 200, body: {} });
    expect(await list()).toHaveLength(1);
  });
});

describe('403', () => {
  it.each([
    ['GET', PATH],
    ['DELETE', `${PATH}/1`],
  ])('%s %s with the app key', async (method, path) => {
    expect(await ingress.call(method, path)).toMatchObject({ status: 403, body: errorBody(119, /master/) });
  });
});
