import { InvalidInput } from '../invalid-input';
import type { Json, JsonObject } from '../json';
import { compileWhere, parseWhere, subqueriesOf, withSubqueries } from '.';

const query = (where: Json): JsonObject => ({ className: '_Installation', where });
const pointer = (objectId: string): JsonObject => ({ __type: 'Pointer', className: '_Installation', objectId });

describe('a condition without sub-queries', () => {
  it.each<[JsonObject]>([[{}], [{ a: { $in: [1] }, $or: [{ b: 1 }, { c: { d: { $exists: 1 } } }] }]])(
    '%j has none to answer and stays as it is',
    (where) => {
      expect(subqueriesOf(where)).toEqual([]);
      expect(withSubqueries(where, [])).toEqual(where);
    },
  );
});

describe('a condition with sub-queries', () => {
  const where = parseWhere({
    city: 'Berlin',
    peer: { $inQuery: query({ kind: 'hub' }), $exists: true },
    $or: [
      { host: { $notInQuery: query([{ kind: 'off' }]) } },
      { model: { $select: { query: { ...query({ kind: 'lead' }), order: 'x', keys: 'model' }, key: 'spec.model' } } },
      { model: { $dontSelect: { query: query({}), key: 'spec.model' } } },
    ],
  });

  it('names them in the order in which they stand', () => {
    expect(subqueriesOf(where).map((subquery) => subquery.where)).toEqual([
      { kind: 'hub' },
      { $and: [{ kind: 'off' }] },
      { kind: 'lead' },
      {},
    ]);
  });

  it('takes pointers to the results, or a key of theirs', () => {
    const answered = withSubqueries(where, [
      [{ objectId: 'h1' }, { objectId: 'h2' }],
      [{ objectId: 'h3' }],
      [{ objectId: 'm', spec: { model: 'X' } }, { objectId: 'n' }, { objectId: 'o', spec: { model: null } }],
      [],
    ]);
    expect(answered).toEqual({
      $and: [
        {
          city: 'Berlin',
          peer: { $exists: true },
          $or: [
            { $and: [{}, { host: { $nin: [pointer('h3')] } }] },
            { $and: [{}, { model: { $in: ['X'] } }] },
            { $and: [{}, { model: { $nin: [] } }] },
          ],
        },
        { peer: { $in: [pointer('h1'), pointer('h2')] } },
      ],
    });
    expect(subqueriesOf(answered)).toEqual([]);
    const matches = compileWhere(answered);
    expect(matches({ city: 'Berlin', peer: pointer('h2'), host: pointer('h1') })).toBe(true);
    expect(matches({ city: 'Berlin', peer: pointer('h3') })).toBe(false);
  });

  it('cannot be tested before they are answered', () => {
    const matches = compileWhere(where);
    expect(() => matches({ city: 'Berlin', peer: pointer('h1') })).toThrow('peer: the sub-query was not resolved');
  });
});

describe('answers', () => {
  const selecting = parseWhere({ a: { $in: [1, 2], $select: { query: query({}), key: 'b' } } });

  it('hold beside an $in of the same field', () => {
    const matches = compileWhere(withSubqueries(selecting, [[{ b: 2 }, { b: 3 }]]));
    expect([1, 2, 3].map((a) => matches({ a }))).toEqual([false, true, false]);
  });

  it('of nobody select nobody, and exclude nobody', () => {
    expect(compileWhere(withSubqueries(selecting, [[]]))({ a: 1 })).toBe(false);
    const excluding = parseWhere({ a: { $notInQuery: query({}) } });
    expect(compileWhere(withSubqueries(excluding, [[]]))({})).toBe(true);
  });

  it.each<[Json]>([
    [{ $where: 1 }],
    [{ __type: 'Relation', className: 'x' }],
    [{ __type: 'Date', iso: 'soon' }],
    [[[[[[[[[[[1]]]]]]]]]]],
  ])('may hold whatever a document holds: %j', (b) => {
    const matches = compileWhere(withSubqueries(selecting, [[{ b }]]));
    expect(matches({ a: 2 })).toBe(false);
    const dated = parseWhere({ createdAt: { $dontSelect: { query: query({}), key: 'b' } } });
    expect(compileWhere(withSubqueries(dated, [[{ b }]]))({ createdAt: '2026-01-01T00:00:00.000Z' })).toBe(true);
  });

  it('may be many and nested as deep as a caller may', () => {
    const deep = (depth: number): JsonObject =>
      depth === 0 ? { a: { $select: { query: query({}), key: 'b' } } } : { $or: [deep(depth - 1)] };
    const found = Array.from({ length: 1000 }, (_, b) => ({ b: `${b}`.repeat(3000) }));
    const matches = compileWhere(withSubqueries(parseWhere(deep(7)), [found]));
    expect(matches({ a: '7'.repeat(3000) })).toBe(true);
  });
});

it('sub-queries of sub-queries count like all others', () => {
  const nested = (depth: number): JsonObject => (depth === 0 ? {} : { a: { $inQuery: query(nested(depth - 1)) } });
  expect(subqueriesOf(parseWhere(nested(5)))).toHaveLength(1);
  expect(() => parseWhere(nested(6))).toThrow(InvalidInput);
});
