import { redisHarness } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

const ids = (count: number, length = 10): string[] =>
  Array.from({ length: count }, (_, i) => `i${i}`.padEnd(length, 'x'));
const push = (body: object) =>
  ingress.asMaster('POST', '/1.1/push/installations', { body: { data: { alert: 'hi' }, ...body } });

describe('200', () => {
  it.each([
    ['installation_ids', 'installationId'],
    ['object_ids', 'objectId'],
  ])('%s are addressed, each once, and the record says so', async (list, column) => {
    const reply = await push({ [list]: [...ids(3), ...ids(2)], req_id: column.slice(0, 16) });
    expect(reply).toMatchObject({ status: 200, body: { objectId: expect.stringMatching(/^[0-9a-z]{16}$/) } });
    const { objectId = '' } = fieldsOf(reply);
    const stored = await ingress.store.pushes.toSend(objectId);
    expect(stored?.audience).toEqual({ addressed: { field: column, values: ids(3) } });
    const record = await ingress.asMaster('GET', `/1.1/notifications/${objectId}`);
    expect(record.body).toMatchObject({ where: { [column]: { $in: ids(3) } } });
  });

  it('500 ids of 512 bytes', async () => {
    expect(await push({ installation_ids: ids(500, 512) })).toMatchObject({ status: 200 });
  });
});

describe('400', () => {
  it.each([
    [{}, 113, /installation_ids/],
    [{ installation_ids: ids(501) }, 154, /500/],
    [{ object_ids: ids(1, 513) }, 111, /512/],
    [{ object_ids: [] }, 113, /object_ids/],
    [{ object_ids: [7] }, 111, /object_ids/],
    [{ object_ids: ids(1), installation_ids: ids(1) }, 113, /not both/],
    [{ object_ids: ids(1), where: {} }, 102, /where/],
    [{ object_ids: ids(1), channels: ['a'] }, 102, /channels/],
    [{ object_ids: ids(1), data: {} }, 113, /data/],
  ] as const)('%j', async (...[body, code, message]) => {
    expect(await push(body)).toMatchObject({ status: 400, body: errorBody(code, message) });
  });
});

describe('413', () => {
  it('a message of more than 4096 bytes beside the ids', async () => {
    const reply = await push({ object_ids: ids(1), data: { alert: 'x'.repeat(4100) } });
    expect(reply).toMatchObject({ status: 413, body: errorBody(413, /beside installation_ids, object_ids/) });
  });
});
