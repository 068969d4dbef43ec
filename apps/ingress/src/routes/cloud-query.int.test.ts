import { anInstallation, redisHarness } from '@pushfleet/testing';
import { errorBody, openIngress, type Ingress } from '../testing/ingress-harness';

const harness = redisHarness();
let ingress: Ingress;

beforeAll(async () => {
  ingress = await openIngress(harness);
  for (const level of [3, 1, 2]) {
    await ingress.call('POST', '/1.1/installations', { body: anInstallation({ level, channels: ['news'] }) });
  }
});

const query = (cql: string, pvalues?: string) =>
  ingress.asMaster(
    'GET',
    `/1.1/cloudQuery?${new URLSearchParams({ cql, ...(pvalues ? { pvalues } : {}) }).toString()}`,
  );
const levels = (body: unknown): readonly number[] =>
  (body as { results: { level: number }[] }).results.map(({ level }) => level);

describe('200', () => {
  it('finds in the order asked for, and names the class', async () => {
    const { body } = await query("select level from _Installation where channels = 'news' order by level desc limit 2");
    expect(levels(body)).toEqual([3, 2]);
    expect(body).toMatchObject({ className: '_Installation' });
    expect(body).not.toHaveProperty('results.0.channels');
  });

  it('values may stand outside', async () => {
    const { body } = await query('select * from _Installation where level in (?, ?) order by level', '[1,3]');
    expect(levels(body)).toEqual([1, 3]);
  });

  it('counts', async () => {
    const { body } = await query('select count(*) from _Installation where level > 1');
    expect(body).toEqual({ results: [], className: '_Installation', count: 2 });
  });
});

describe('400', () => {
  it.each([
    ['select', undefined],
    ['select * from _Installation where level = ?', undefined],
    ['select * from _Installation', '{}'],
    ['select * from _Installation', 'x'],
  ])('%s with %s', async (cql, pvalues) => {
    expect(await query(cql, pvalues)).toMatchObject({ status: 400, body: errorBody(300, /./) });
  });
});

describe('404', () => {
  it('another class', async () => {
    expect(await query('select * from _User')).toMatchObject({ status: 404, body: errorBody(101, /Class/) });
  });
});
