import { audienceOf, LAST_DATE_MS, LIMITS, type JsonObject, type PushService } from '@pushfleet/domain';
import { Books } from '@pushfleet/store';
import { consoleHarness } from '../testing/console-harness';

const admin = consoleHarness();
const AT = Date.parse('2030-01-02T03:04:05.678Z');

interface Found {
  readonly ids: readonly string[];
  readonly cursor: string | undefined;
  readonly lookedBackTo: string | undefined;
}

async function anApp(): Promise<string> {
  const { body } = await admin.call('POST', '/apps', { name: 'Shop', edition: 'commercial' });
  return String(body['id']);
}

interface Seed {
  readonly data: Readonly<Record<string, string>>;
  readonly at?: number;
  readonly where?: JsonObject;
  readonly expiresAt?: number;
  readonly channel?: string;
  readonly service?: PushService;
}

async function pushesOf(app: string, seeds: readonly Seed[]): Promise<readonly string[]> {
  const accepted = await admin.store.acceptPushes(
    seeds.map(({ data, at = AT, where = {}, expiresAt = at + 60_000, service }) => ({
      ...{ app, content: { data, sections: {} }, audience: audienceOf({}, undefined), where, prod: 'prod' },
      ...{ pushTime: at, expiresAt, isScheduled: false, ...(service && { service }) },
    })),
  );
  const ids = accepted.map(({ pushId }) => pushId);
  await admin.store.pushes.index(
    app,
    ids.map((pushId, i) => ({ pushId, createdAt: seeds[i]?.at ?? AT, service: seeds[i]?.service })),
  );
  for (const [i, pushId] of ids.entries()) {
    const books = new Books(seeds[i]?.channel ?? 'mi');
    books.add('expected', 2);
    books.add('matched', 2);
    books.accept(2);
    await admin.store.ledger.plan({ pushId, lanes: [], pages: [], books: [books], now: AT });
  }
  return ids;
}

async function tableOf(app: string, query: string): Promise<Response> {
  const headers = { authorization: 'Bearer admin-token-of-the-tests' };
  return fetch(`${admin.url}/api/v1/apps/${app}/pushes.csv${query}`, { headers });
}

async function find(app: string, query: string): Promise<Found> {
  const { status, body } = await admin.call('GET', `/apps/${app}/pushes?${query}`);
  expect([status, body['error']]).toEqual([200, undefined]);
  const ids = (body['results'] as readonly { objectId: string }[]).map(({ objectId }) => objectId);
  return {
    ids,
    cursor: body['cursor'] as string | undefined,
    lookedBackTo: body['lookedBackTo'] as string | undefined,
  };
}

it('finds a push by what it says, by its objectId, by its channel and by its state', async () => {
  const app = await anApp();
  const [sale = '', news = '', night = ''] = await pushesOf(app, [
    { data: { alert: 'Spring SALE begins' }, at: AT + 2 },
    { data: { alert: 'News', title: '春季大促' }, at: AT + 1, channel: 'hms' },
    { data: { alert: 'Good night' }, at: AT },
  ]);
  expect((await find(app, 'search=sale')).ids).toEqual([sale]);
  expect((await find(app, `search=${encodeURIComponent('大促')}`)).ids).toEqual([news]);
  expect((await find(app, 'search=alert')).ids).toEqual([]);
  expect((await find(app, `search=${night}`)).ids).toEqual([night]);
  expect((await find(app, 'channel=hms')).ids).toEqual([news]);
  expect((await find(app, 'status=done&search=n')).ids).toEqual([sale, news, night]);
  expect((await find(app, 'status=cancelled')).ids).toEqual([]);
});

it('lists the pushes of a chat server apart, and searches them alike', async () => {
  const app = await anApp();
  const service = 'rtm';
  const [sale = '', dinner = '', lunch = ''] = await pushesOf(app, [
    { data: { alert: 'Sale' }, at: AT + 2 },
    { data: { alert: 'Tom: Dinner?' }, at: AT + 1, service },
    { data: { alert: 'Tom: Lunch?' }, at: AT, service },
  ]);
  for (const query of ['', 'from-service=push']) expect((await find(app, query)).ids).toEqual([sale]);
  expect((await find(app, 'from-service=rtm')).ids).toEqual([dinner, lunch]);
  expect((await find(app, 'from-service=rtm&skip=1&status=done')).ids).toEqual([lunch]);
  expect((await find(app, 'from-service=rtm&search=lunch')).ids).toEqual([lunch]);
  expect((await find(app, 'search=lunch')).ids).toEqual([]);
  const lines = (await (await tableOf(app, '?from-service=rtm')).text()).split('\n');
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([dinner, lunch, '']);
});

it('finds no push of another app, not even by its objectId', async () => {
  const [foreign = ''] = await pushesOf(await anApp(), [{ data: { alert: 'Hi' } }]);
  expect((await find(await anApp(), `search=${foreign}`)).ids).toEqual([]);
});

it('goes on behind a cursor without leaving out or repeating pushes of one moment', async () => {
  const app = await anApp();
  const ids = await pushesOf(
    app,
    Array.from({ length: 7 }, (_, i) => ({ data: { alert: `No ${i}` } })),
  );
  const pages: string[][] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const page: Found = await find(app, `limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
    pages.push([...page.ids]);
    cursor = page.cursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
  expect(pages.flat().sort()).toEqual([...ids].sort());
});

it('looks at a bounded number of pushes in one request, and says how far it came', async () => {
  const app = await anApp();
  const most = LIMITS.pushesLookedAt.value;
  const [oldest = ''] = await pushesOf(app, [{ data: { alert: 'needle' }, at: AT - 1 }]);
  // Their records are gone, as those of old pushes are: they are looked at all the same.
  const gone = Array.from({ length: most }, (_, i) => ({ pushId: `${String(i).padStart(14, '0')}0a`, createdAt: AT }));
  await admin.store.pushes.index(app, gone);
  const first = await find(app, 'search=needle');
  expect(first).toMatchObject({ ids: [], lookedBackTo: new Date(AT).toISOString() });
  expect((await find(app, `search=needle&cursor=${first.cursor}`)).ids).toEqual([oldest]);
});

it('writes what is found as a table, and goes on where one was cut off', async () => {
  const app = await anApp();
  const [sale = '', other = ''] = await pushesOf(app, [
    { data: { alert: '=SUM(1)', title: 'a "word", and' }, at: AT + 1 },
    { data: { alert: 'b' } },
  ]);
  const text = async (query: string): Promise<string> => {
    const answer = await tableOf(app, query);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="pushes-${app}.csv"`);
    return answer.text();
  };
  const [head = '', first = '', second = '', end] = (await text('')).split('\n');
  expect([head.split(',')[0], end]).toEqual(['objectId', '']);
  expect(first).toContain(`${sale},${sale},`);
  expect(first).toContain(`,"a ""word"", and",'=SUM(1),{},2,2,2,0,0,0,0,0,mi`);
  expect(second).toContain(`${other},`);
  expect(await text(`?cursor=${AT + 1}-${sale}`)).toBe(`${second}\n`);
});

it('shows integers of any size, and pushes that last beyond the last date there is', async () => {
  const app = await anApp();
  const big = 12_345_678_901_234_567_890n;
  const [pushId = ''] = await pushesOf(app, [
    { data: { alert: 'a' }, where: { userId: big }, expiresAt: LAST_DATE_MS + 604_800_000 },
  ]);
  const headers = { authorization: 'Bearer admin-token-of-the-tests' };
  const text = async (path: string): Promise<string> =>
    (await fetch(`${admin.url}/api/v1/apps/${app}/${path}`, { headers })).text();
  expect(await text('pushes.csv')).toContain(String(big));
  for (const path of ['pushes', `pushes/${pushId}`]) {
    const shown = await text(path);
    expect(shown).toContain(`"userId":${big}`);
    expect(shown).toContain('"expiresAt":"+275760-09-13T00:00:00.000Z"');
  }
});

it.each(['search=', `search=${'x'.repeat(201)}`, 'status=gone', 'cursor=1', 'channel=', 'from-service=sms'])(
  'refuses %s',
  async (query) => {
    const answer = await admin.call('GET', `/apps/${await anApp()}/pushes?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: query.split('=')[0] }] } });
  },
);

it('does not mix two ways of turning pages', async () => {
  const answer = await admin.call('GET', `/apps/${await anApp()}/pushes?skip=3&search=x`);
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'skip' }] } });
});
