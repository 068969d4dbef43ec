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

/** A push to everybody that is one lane, and how its books go on from one position to the next. */
async function planned() {
  const push = await ingress.call('POST', '/1.1/push', { body: aPushRequest() });
  const pushId = fieldsOf(push)['objectId'] ?? '';
  const place = { channel: 'hms', profile: '_default', bucket: 'hms/_default', fromShard: 0, toShard: 256 } as const;
  const { ledger } = ingress.store;
  await ledger.plan({ pushId, lanes: [{ id: 1, ...place }], pages: [], books: [], now: Date.now() });
  let from = { shard: 0, objectId: '' };
  const fold = async (books: Books, matched: number, to: typeof from | 'done'): Promise<void> => {
    books.add('matched', matched);
    await ledger.fold({ pushId, part: { lane: 1, from, to }, books, now: Date.now() });
    if (to !== 'done') from = to;
  };
  return { pushId, fold };
}

/** A push whose devices have the outcomes of `books`. */
async function pushed(books: Books, matched: number): Promise<string> {
  const { pushId: id, fold } = await planned();
  await fold(books, matched, 'done');
  return id;
}

/** A push that each of these has accepted, a hundred at a time. */
async function pushedTo(ids: readonly string[]): Promise<string> {
  const { pushId: id, fold } = await planned();
  for (let at = 0; at < ids.length; at += 100) {
    const books = new Books('hms');
    books.acceptDevices(ids.slice(at, at + 100));
    await fold(books, 100, at + 100 < ids.length ? { shard: 0, objectId: `to${at}` } : 'done');
  }
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

describe('200 as a stream', () => {
  const stream = async (query = '', id = pushId, accept = 'application/x-ndjson'): Promise<Response> =>
    fetch(`${ingress.url}/1.1/notifications/${id}/devices${query}`, {
      headers: { accept, 'x-lc-id': ingress.app.id, 'x-lc-key': `${ingress.app.masterKey},master` },
    });
  const linesOf = async (answer: Response): Promise<readonly Record<string, unknown>[]> => {
    const lines = (await answer.text()).split('\n');
    expect([answer.status, answer.headers.get('content-type'), lines.pop()]).toEqual([200, 'application/x-ndjson', '']);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const ending = (devices: number, complete = true) => ({ complete, devices, cursor: null });

  it('tells every device in a line, and ends with one that says that these are all', async () => {
    const lines = await linesOf(await stream());
    expect(lines).toEqual([...(await page()).results, ending(12)]);
    expect(await linesOf(await stream('?reason=registration-gone'))).toEqual([
      expect.anything(),
      expect.anything(),
      ending(2),
    ]);
  });

  it('has as many pages as it takes', async () => {
    const ids = Array.from({ length: 4500 }, (_, n) => String(n).padStart(32, 'a'));
    const id = await pushedTo(ids);
    const lines = await linesOf(await stream('', id));
    expect(lines.slice(0, -1).map(({ objectId }) => objectId)).toEqual(ids);
    expect(lines.at(-1)).toEqual(ending(4500));
    const { cursor } = (await get('?limit=700', id)).body as Page;
    const rest = await linesOf(await stream(`?cursor=${cursor ?? ''}`, id));
    expect([rest[0]?.['objectId'], rest.at(-1)]).toEqual([ids[700], ending(3800)]);
  });

  it('of a push that is under way says that it is not complete', async () => {
    const push = fieldsOf(await ingress.call('POST', '/1.1/push', { body: aPushRequest() }))['objectId'] ?? '';
    expect(await linesOf(await stream('', push))).toEqual([ending(0, false)]);
  });

  it('is for whoever names it', async () => {
    for (const accept of ['*/*', 'application/json', 'application/x-ndjson;q=0'])
      expect((await stream('', pushId, accept)).headers.get('content-type')).toContain('application/json');
    expect(await linesOf(await stream('', pushId, 'text/html, Application/X-NDJSON;q=0.5'))).toHaveLength(13);
    const requests = [{ method: 'GET', path: `/1.1/notifications/${pushId}/devices` }];
    const batch = await ingress.asMaster('POST', '/1.1/batch', {
      ...{ body: { requests }, headers: { accept: 'application/x-ndjson' } },
    });
    expect(batch.body).toMatchObject([{ success: { complete: true } }]);
  });

  it('refuses as a page does, before it begins', async () => {
    const refusals = [await stream('?limit=5'), await stream('?outcome=lost'), await stream('', 'nobody')];
    expect(refusals.map(({ status }) => status)).toEqual([400, 400, 404]);
    expect(await refusals[0]?.json()).toEqual(
      errorBody(102, /^limit: is no parameter of a stream; there are outcome, reason, channel, cursor$/),
    );
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
