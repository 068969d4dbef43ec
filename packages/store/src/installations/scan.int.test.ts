import type { Installation, JsonObject } from '@pushfleet/domain';
import { unique } from '@pushfleet/testing';
import { shardOf } from '../kit/shards';
import { intercepted } from '../testing/intercepted';
import { storeUnderTest } from '../testing/store-under-test';
import type { Scanned, ScanRequest } from './scan';

const t = storeUnderTest();

/** So that many of one shard are easily made. */
const idsIn = (shard: number, count: number): readonly string[] => {
  const ids: string[] = [];
  for (let i = 0; ids.length < count; i += 1) if (shardOf(`device${i}`) === shard) ids.push(`device${i}`);
  return ids;
};

async function anAppWith(docs: Readonly<Record<string, JsonObject>>): Promise<string> {
  const app = unique('scanned');
  const rows = Object.entries(docs).map(([objectId, doc]) => ({ objectId, doc: { deviceType: 'android', ...doc } }));
  await t.store.installations.import(app, rows);
  return app;
}

const numbered = (
  ids: readonly string[],
  doc: (i: number) => JsonObject = (i) => ({ i }),
): Record<string, JsonObject> => Object.fromEntries(ids.map((id, i) => [id, doc(i)]));

const idsOf = (found: readonly Installation[]): readonly string[] => found.map(({ objectId }) => objectId);

async function scanAll(
  request: Omit<ScanRequest, 'from'>,
  between: (page: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly Scanned[]> {
  const pages: Scanned[] = [];
  do {
    pages.push(await t.store.installations.scan({ ...request, from: pages.at(-1)?.end }));
    await between(pages.length);
  } while (pages.at(-1)?.end);
  return pages;
}

describe('a search for a condition', () => {
  const ids = [...idsIn(3, 12), ...idsIn(200, 13)];
  const where = { i: { $gte: 23 } };

  it('says how many it looked at when it ends before it found enough, and goes on behind them', async () => {
    const app = await anAppWith(numbered(ids));
    const pages = await scanAll({ app, where, limit: 10, lookAt: 10 });
    expect(pages.map(({ lookedAt }) => lookedAt)).toEqual([10, 10, 5]);
    expect(pages[0]).toMatchObject({ results: [], end: { shard: 3 } });
    expect(pages.flatMap(({ results }) => results.map((one) => one['i'])).sort()).toEqual([23, 24]);
  });

  it('ends where a page is full and another one follows, and looks at none of them twice', async () => {
    const app = await anAppWith(numbered(ids));
    const pages = await scanAll({ app, where: { i: { $in: [1, 5, 23] } }, limit: 1, lookAt: 1000 });
    expect(pages.map(({ results }) => results.length)).toEqual([1, 1, 1]);
    expect(pages.reduce((sum, { lookedAt }) => sum + lookedAt, 0)).toBe(ids.length);
  });

  it('knows that nothing is left to look at when it looked at the last one', async () => {
    const app = await anAppWith(numbered(ids));
    const scanned = await t.store.installations.scan({ app, where: { i: -1 }, limit: 5, lookAt: ids.length });
    expect(scanned).toEqual({ results: [], lookedAt: ids.length });
  });

  it('looks up whom the condition names by an address, in the same order and page by page', async () => {
    const addressed = numbered(ids, (i) => ({ installationId: `${t.app}-${i}` }));
    const app = await anAppWith(addressed);
    const wanted = [20, 4, 11, 4].map((i) => `${t.app}-${i}`);
    const pages = await scanAll({
      app,
      where: { installationId: { $in: [...wanted, 'unknown'] } },
      limit: 2,
      lookAt: 2,
    });
    expect(pages.map(({ lookedAt }) => lookedAt)).toEqual([2, 1]);
    const all = idsOf((await scanAll({ app, where: {}, limit: 100 })).flatMap(({ results }) => results));
    const expected = all.filter((id) => wanted.includes(String(addressed[id]?.['installationId'])));
    expect(idsOf(pages.flatMap(({ results }) => results))).toEqual(expected);
  });

  it.each<JsonObject>([
    { registrationId: { $regex: '^r1' } },
    { $or: [{ registrationId: 'nobody' }, { registrationId: { $regex: '^r1' } }] },
  ])('knows what stands in the index alone: %j', async (condition) => {
    const app = await anAppWith(numbered(ids, (i) => ({ i, vendor: 'mi', registrationId: `r${i}${unique('r')}` })));
    const { results } = await t.store.installations.scan({ app, where: condition, limit: 100 });
    const expected = [...ids.keys()].filter((i) => String(i).startsWith('1'));
    expect(results.map((one) => Number(one['i'])).sort((a, b) => a - b)).toEqual(expected);
    expect(results.every((one) => String(one['registrationId']).startsWith('r1'))).toBe(true);
  });

  it('finds who is no target too', async () => {
    const app = await anAppWith(numbered(ids, (i) => ({ i, valid: i !== 7, city: 'Ürümqi' })));
    const { results } = await t.store.installations.scan({ app, where: { city: 'Ürümqi', valid: false }, limit: 5 });
    expect(results.map((one) => one['i'])).toEqual([7]);
  });

  it('refuses a sub-query that would look at more than the search itself may', async () => {
    const app = await anAppWith(numbered(ids));
    const query = { className: '_Installation', where: { i: 3 } };
    const request = { app, where: { i: { $select: { query, key: 'i' } } }, limit: 5 };
    expect((await t.store.installations.scan({ ...request, lookAt: ids.length })).results).toHaveLength(1);
    await expect(t.store.installations.scan({ ...request, lookAt: ids.length - 1 })).rejects.toMatchObject({
      message: `where: a sub-query would look at more than ${ids.length - 1} installations here`,
    });
  });

  it('ends when its caller has gone', async () => {
    const app = await anAppWith(numbered(ids));
    const gone = AbortSignal.abort(new Error('gone'));
    const scan = t.store.installations.scan({ app, where, limit: 5, signal: gone });
    await expect(scan).rejects.toThrow('gone');
  });
});

describe('while others save and remove', () => {
  const ids = idsIn(9, 60);
  const [stay, go] = [ids.filter((_, i) => i % 3 !== 0), ids.filter((_, i) => i % 3 === 0)];
  const come = idsIn(9, 90).slice(60);

  it('pages tell who is there all the while, each once', async () => {
    const app = await anAppWith(numbered(ids));
    const pages = await scanAll({ app, where: {}, limit: 7 }, async (page) => {
      await t.store.installations.remove(app, go[page] ?? '');
      await t.store.installations.import(app, [{ objectId: come[page] ?? '', doc: { deviceType: 'android' } }]);
    });
    const told = idsOf(pages.flatMap(({ results }) => results));
    expect(new Set(told).size).toBe(told.length);
    expect(told).toEqual(expect.arrayContaining([...stay]));
    expect(told).toEqual([...told].sort());
  });

  it('so do portions, one after the other', async () => {
    const app = await anAppWith(numbered(ids));
    const told: string[] = [];
    for await (const portion of t.store.installations.portions({ app, atOnce: 7 })) {
      const page = told.push(...idsOf(portion)) / 7;
      await t.store.installations.remove(app, go[Math.floor(page)] ?? '');
      await t.store.installations.import(app, [
        { objectId: come[Math.floor(page)] ?? '', doc: { deviceType: 'android' } },
      ]);
    }
    expect(new Set(told).size).toBe(told.length);
    expect(told).toEqual(expect.arrayContaining([...stay]));
    expect(told).toEqual([...told].sort());
  });
});

it('the ids of a shard are read once for many portions of it', async () => {
  const ids = idsIn(5, 40);
  const app = await anAppWith(numbered(ids));
  const key = t.keys.records(app, 5);
  let reads = 0;
  const counting = intercepted(t.redis, (command, name) => (...args) => {
    if (name === 'hkeys' && args[0] === key) reads += 1;
    return command(...args);
  });
  const portions: (readonly Installation[])[] = [];
  for await (const portion of t.open({ redis: counting }).installations.portions({ app, atOnce: 6 }))
    portions.push(portion);
  expect(portions.map(({ length }) => length)).toEqual([6, 6, 6, 6, 6, 6, 4]);
  expect(idsOf(portions.flat())).toEqual([...ids].sort());
  expect(reads).toBe(1);
});

it('portions go on behind the last one of the walk before', async () => {
  const ids = [...idsIn(5, 8), ...idsIn(6, 8)];
  const app = await anAppWith(numbered(ids));
  const first = t.store.installations.portions({ app, atOnce: 5 });
  const { value = [] } = (await first.next()) as { value?: readonly Installation[] };
  await first.return(undefined);
  const rest: string[] = [];
  for await (const portion of t.store.installations.portions({ app, after: value.at(-1)?.objectId, atOnce: 5 }))
    rest.push(...idsOf(portion));
  expect([...idsOf(value), ...rest].sort()).toEqual([...ids].sort());
});
