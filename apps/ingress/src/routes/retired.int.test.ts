import { DAY_MS } from '@pushfleet/domain';
import { anInstallation, redisHarness, until } from '@pushfleet/testing';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
const devices: string[] = [];

interface Page {
  readonly results: readonly { readonly objectId: string; readonly at: string }[];
  readonly cursor: string | null;
}
const get = (query = '') => ingress.asMaster('GET', `/1.1/retired${query}`);
const page = async (query = ''): Promise<Page> => (await get(query)).body as Page;

beforeAll(async () => {
  ingress = await openIngress(harness);
  for (const registrationId of ['r0', 'r1', 'r2']) {
    const body = anInstallation({ installationId: `i-${registrationId}`, vendor: 'HMS', registrationId });
    const objectId = fieldsOf(await ingress.call('POST', '/1.1/installations', { body }))['objectId'] ?? '';
    await ingress.store.installations.retire(ingress.app.id, { objectId, registrationId });
    devices.push(objectId);
  }
});

describe('200', () => {
  it('tells them, the oldest first', async () => {
    await ingress.asMaster('PUT', `/1.1/installations/${devices[1] ?? ''}`, { body: { registrationId: 'r9' } });
    await ingress.asMaster('DELETE', `/1.1/installations/${devices[2] ?? ''}`);
    const same = { channel: 'hms', reason: 'registration-gone', action: 'drop-registration' };
    const at = expect.stringMatching(/Z$/);
    // One that is not retired any more is told when it is sure that it is not about to be.
    await until(async () => (await page()).results.length === 3, { timeoutMs: 60_000, everyMs: 500 });
    expect((await get()).body).toEqual({
      results: [
        { ...same, at, objectId: devices[0], installationId: 'i-r0', registrationId: 'r0' },
        { ...same, at, objectId: devices[1], installationId: 'i-r1', renewed: true },
        { ...same, at, objectId: devices[2], gone: true },
      ],
      ...{ cursor: null, complete: true },
    });
  });

  it('comes page by page, and from a time on', async () => {
    const first = await page('?limit=2');
    const second = await page(`?limit=2&cursor=${first.cursor ?? ''}`);
    expect([...first.results, ...second.results].map(({ objectId }) => objectId)).toEqual(devices);
    expect(second.cursor).toBeNull();
    const last = second.results.at(-1)?.at ?? '';
    for (const since of [last, String(Date.parse(last))])
      expect((await page(`?since=${since}`)).results.map(({ objectId }) => objectId)).toContain(devices[2]);
    expect((await page(`?since=${Date.parse(last) + 1}`)).results).toEqual([]);
  });
});

describe('400', () => {
  it.each([
    ['?since=yesterday', /^since: must be an ISO 8601 date or milliseconds/],
    ['?since=2026-13-01', /^since: must be an ISO 8601 date/],
    [`?since=${Date.now() - 31 * DAY_MS}`, /^since: must be .*Z or later: nothing older is kept$/],
    ['?since=1&since=2', /^since: may be given once$/],
    ['?cursor=nonsense', /^cursor: must be one that a page answered$/],
    ['?cursor=1700000000000-18446744073709551616', /^cursor: must be one that a page answered$/],
    ['?limit=0', /^limit: must be a whole number from 1 to 1000$/],
    ['?limit=1001', /^limit: /],
    ['?skip=1', /^skip: is no parameter; there are since, cursor, limit$/],
  ])('%s', async (query, message) => {
    expect(await get(query)).toMatchObject({ status: 400, body: errorBody(102, message) });
  });
});
