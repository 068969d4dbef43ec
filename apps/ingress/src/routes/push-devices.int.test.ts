import { redisHarness } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
});

const PATH = '/1.1/push/devices';
const ids = (count: number, length = 10): string[] =>
  Array.from({ length: count }, (_, i) => `r${i}`.padEnd(length, 'x'));
const push = (changes: object = {}) =>
  ingress.call('POST', PATH, {
    body: { device_type: 'android', vendor: 'HMS', device_ids: ids(3), data: { alert: 'hi' }, ...changes },
  });

describe('200', () => {
  it('the addresses stand in the push, nobody looked up', async () => {
    const reply = await push({ device_profile: 'beta' });
    expect(reply).toMatchObject({ status: 200, body: { objectId: expect.stringMatching(/^[0-9a-z]{16}$/) } });
    const stored = await ingress.store.pushes.toSend(fieldsOf(reply)['objectId'] ?? '');
    expect(stored?.audience).toEqual({ devices: { bucket: 'hms/beta', registrationIds: ids(3) } });
  });

  it('500 ids of 512 bytes', async () => {
    expect(await push({ device_ids: ids(500, 512) })).toMatchObject({ status: 200 });
  });
});

describe('400', () => {
  it.each([
    [{ device_ids: ids(501) }, 154, /500/],
    [{ device_ids: ids(1, 513) }, 111, /512/],
    [{ device_ids: [] }, 113, /device_ids/],
    [{ device_type: 'web' }, 111, /device_type/],
    [{ over_budget: 'later' }, 111, /over_budget/],
    [{ data: {} }, 113, /data/],
  ] as const)('%j', async (...[changes, code, message]) => {
    expect(await push(changes)).toMatchObject({ status: 400, body: errorBody(code, message) });
  });
});

describe('413', () => {
  it('a message of more than 4096 bytes beside the ids', async () => {
    expect(await push({ data: { alert: 'x'.repeat(4100) } })).toMatchObject({
      status: 413,
      body: errorBody(413, /beside device_ids/),
    });
  });

  it('a body without end', async () => {
    expect(await push({ device_ids: ids(5000, 512) })).toMatchObject({ status: 413 });
  });
});
