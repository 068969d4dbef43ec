import { anInstallation, redisHarness } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';
import { formatCursor } from '../scan-cursor';

const harness = redisHarness();
let ingress: Ingress;
const ids: string[] = [];

beforeAll(async () => {
  ingress = await openIngress(harness);
  const requests = Array.from({ length: 230 }, (_, i) => ({
    ...{ method: 'POST', path: '/1.1/installations' },
    body: anInstallation({ parity: i % 2 }),
  }));
  const reply = await ingress.call('POST', '/1.1/batch', { body: { requests } });
  ids.push(...(reply.body as { success: { objectId: string } }[]).map(({ success }) => success.objectId));
});

const PATH = '/1.1/scan/classes/_Installation';
type Page = { results: Record<string, unknown>[]; cursor: string | null };
const scan = (query: Readonly<Record<string, string>>) =>
  ingress.asMaster('GET', `${PATH}?${new URLSearchParams(query).toString()}`);

async function scanAll(query: Readonly<Record<string, string>>): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const reply = await scan({ ...query, ...(cursor === '' ? {} : { cursor }) });
    expect(reply.status).toBe(200);
    const page = reply.body as Page;
    pages.push(page);
    cursor = page.cursor;
  }
  return pages;
}

describe('200', () => {
  it('every installation comes once, a hundred to a page', async () => {
    const pages = await scanAll({});
    expect(pages.map(({ results }) => results.length)).toEqual([100, 100, 30]);
    const seen = pages.flatMap(({ results }) => results.map(({ objectId }) => objectId));
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  it('pages are as long as asked, and the last one knows that it is', async () => {
    expect((await scanAll({ limit: '230' })).map(({ results }) => results.length)).toEqual([230]);
    expect((await scanAll({ limit: '115' })).map(({ results }) => results.length)).toEqual([115, 115]);
  });

  it('a condition and keys reduce what comes', async () => {
    const pages = await scanAll({ where: '{"parity":1}', keys: 'parity', limit: '50' });
    const results = pages.flatMap((page) => page.results);
    expect(results).toHaveLength(115);
    expect(Object.keys(results[0] ?? {}).sort()).toEqual(['createdAt', 'objectId', 'parity', 'updatedAt']);
  });
});

describe('400', () => {
  it.each([
    ['nonsense', /cursor/],
    [formatCursor({ shard: 1, objectId: 'x' }, Date.now() - 601_000), /ten minutes/],
  ])('the cursor %s', async (cursor, message) => {
    expect(await scan({ cursor })).toMatchObject({ status: 400, body: errorBody(102, message) });
  });
});

describe('403', () => {
  it('the app key does not scan', async () => {
    expect(await ingress.call('GET', PATH)).toMatchObject({ status: 403, body: errorBody(119, /master/) });
  });
});

describe('404', () => {
  it('another class', async () => {
    const reply = await ingress.asMaster('GET', '/1.1/scan/classes/Post');
    expect(reply).toMatchObject({ status: 404, body: errorBody(101, /Class/) });
  });
});
