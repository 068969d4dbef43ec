import { anInstallation, aPushRequest, outcomeCounts, recordedCounts, redisHarness, unique } from '@pushfleet/testing';
import { Books } from '@pushfleet/store';
import { errorBody, fieldsOf, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;
let pushId: string;
const devices: string[] = [];

interface Row {
  readonly objectId?: string;
  readonly channel: string;
  readonly outcome: string;
  readonly reason?: string;
}
interface Page {
  readonly results: readonly Row[];
  readonly cursor: string | null;
  readonly complete: boolean;
}

const get = (query = '', id = pushId, of = ingress) => of.asMaster('GET', `/1.1/notifications/${id}/devices${query}`);
const page = async (query = ''): Promise<Page> => (await get(query)).body as Page;

/** A push to everybody whose devices have the outcomes of `books`, and the books of one page that is done. */
async function pushed(books: Books, matched: number): Promise<string> {
  const push = await ingress.call('POST', '/1.1/push', { body: aPushRequest() });
  const id = fieldsOf(push)['objectId'] ?? '';
  const lane = {
    id: 1,
    channel: 'hms',
    profile: '_default',
    bucket: 'hms/_default',
    fromShard: 0,
    toShard: 256,
  } as const;
  await ingress.store.ledger.plan({ pushId: id, lanes: [lane], pages: [], books: [], now: Date.now() });
  books.add('matched', matched);
  const part = { lane: 1, from: { shard: 0, objectId: '' }, to: 'done' as const };
  await ingress.store.ledger.fold({ pushId: id, part, books, now: Date.now() });
  return id;
}

beforeAll(async () => {
  ingress = await openIngress(harness);
  for (let i = 0; i < 12; i += 1) {
    const body = anInstallation({ installationId: `i-${i}` });
    devices.push(fieldsOf(await ingress.call('POST', '/1.1/installations', { body }))['objectId'] ?? '');
  }
  const books = new Books('hms');
  books.acceptDevices(devices.slice(0, 10));
  for (const objectId of devices.slice(10))
    books.refuseDevice('discarded', 'registration-gone', { objectId, vendorCode: '7', vendorMessage: 'no such token' });
  pushId = await pushed(books, devices.length);
});

describe('200', () => {
  it('tells every device as it was booked', async () => {
    const { results, cursor, complete } = await page();
    expect({ cursor, complete, devices: results.length }).toEqual({ cursor: null, complete: true, devices: 12 });
    const record = await ingress.store.pushes.read(pushId);
    expect(outcomeCounts(results)).toEqual(recordedCounts(record?.channels ?? {}));
    expect(results.find(({ objectId }) => objectId === devices[11])).toEqual({
      ...{ objectId: devices[11], installationId: 'i-11', channel: 'hms', outcome: 'discarded' },
      ...{ reason: 'registration-gone', vendorCode: '7', vendorMessage: 'no such token' },
      ...{ action: 'drop-registration', at: expect.stringMatching(/Z$/) },
    });
  });

  it('comes page by page, each device once', async () => {
    const seen: (string | undefined)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { results, cursor: next } = await page(`?limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(results.length).toBeLessThanOrEqual(5);
      seen.push(...results.map(({ objectId }) => objectId));
      cursor = next;
    }
    expect(seen.sort()).toEqual([...devices].sort());
  });

  it.each([
    ['?outcome=accepted', 10],
    ['?outcome=failed', 0],
    ['?reason=registration-gone', 2],
    ['?channel=hms&outcome=discarded', 2],
    ['?channel=mi', 0],
  ])('%s gives %i of them', async (query, count) => {
    expect((await page(query)).results).toHaveLength(count);
  });

  it('an installation that was deleted since counts as gone', async () => {
    const body = anInstallation({ installationId: unique('leaving') });
    const objectId = fieldsOf(await ingress.call('POST', '/1.1/installations', { body }))['objectId'] ?? '';
    const books = new Books('hms');
    books.acceptDevices([objectId]);
    const id = await pushed(books, 1);
    await ingress.asMaster('DELETE', `/1.1/installations/${objectId}`);
    expect((await get('', id)).body).toMatchObject({ results: [{ objectId, gone: true, outcome: 'accepted' }] });
  });

  it('a push that is cancelled before it was sent has none, and all of them are told', async () => {
    const push = fieldsOf(await ingress.call('POST', '/1.1/push', { body: aPushRequest() }))['objectId'] ?? '';
    expect((await get('', push)).body).toEqual({ results: [], cursor: null, complete: false });
    await ingress.asMaster('DELETE', `/1.1/notifications/${push}`);
    expect((await get('', push)).body).toEqual({ results: [], cursor: null, complete: true });
  });
});

describe('400', () => {
  it.each([
    ['?outcome=lost', /^outcome: must be one of accepted, discarded, failed/],
    ['?reason=bad-luck', /^reason: must be one of .*registration-gone/],
    ['?channel=a%20b', /^channel: must be the name of a channel/],
    ['?limit=0', /^limit: must be a whole number from 1 to 1000/],
    ['?limit=1001', /^limit: /],
    ['?limit=all', /^limit: /],
    ['?cursor=nonsense', /^cursor: must be one that a page answered/],
    [`?cursor=${Buffer.from('["0123456789abcd00",0,0,0]').toString('base64url')}`, /^cursor: .* page of this push/],
    ['?outcome=failed&outcome=failed', /^outcome: may be given once/],
    ['?skip=3', /^skip: is no parameter; there are outcome, reason, channel, cursor, limit/],
  ])('%s', async (query, message) => {
    expect(await get(query)).toMatchObject({ status: 400, body: errorBody(102, message) });
  });
});

describe('404', () => {
  it('an unknown push, and one of another app', async () => {
    const other = await openIngress(harness);
    expect(await get('', 'nobody')).toMatchObject({ status: 404, body: errorBody(101, /no push of this id/) });
    expect(await get('', pushId, other)).toMatchObject({ status: 404, body: errorBody(101, /no push of this id/) });
  });
});
