import { InvalidInput } from './invalid-input';
import type { Json, JsonObject } from './json';
import { compileWhere, parseWhere } from './where';

const matches = (where: unknown, doc: JsonObject): boolean => compileWhere(parseWhere(where))(doc);

describe('conditions that hold and that do not', () => {
  it.each<[Json, JsonObject, boolean]>([
    [{}, { a: 1 }, true],
    [[], { a: 1 }, true],
    [{ a: 1 }, { a: 1 }, true],
    [{ a: 1 }, { a: '1' }, false],
    [{ channels: 'news' }, { channels: ['sport', 'news'] }, true],
    [{ a: null }, {}, true],
    [{ 'a.b': 1 }, { a: { b: 1 } }, true],
    [{ a: { b: 1 } }, { a: { b: 1 } }, true],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, false],
    [{ a: { $ne: 1 } }, { a: 2 }, true],
    [{ a: { $ne: 1 } }, {}, true],
    [{ a: { $gt: 1, $lte: 3 } }, { a: 3 }, true],
    [{ a: { $gt: 1 } }, { a: '2' }, false],
    [{ a: { $gte: 'b' } }, { a: 'c' }, true],
    [{ a: { $lt: 1 } }, {}, false],
    [{ a: { $in: [1, 'x'] } }, { a: 'x' }, true],
    [{ a: { $in: [] } }, { a: 'x' }, false],
    [{ a: { $nin: ['x'] } }, { a: 'y' }, true],
    [{ a: { $nin: ['x'] } }, { a: ['x', 'y'] }, false],
    [{ a: { $all: ['x', 'y'] } }, { a: ['y', 'z', 'x'] }, true],
    [{ a: { $all: ['x', 'y'] } }, { a: ['x'] }, false],
    [{ a: { $exists: true } }, { a: false }, true],
    [{ a: { $exists: false } }, { a: false }, false],
    [{ a: { $size: 2 } }, { a: [1, 2] }, true],
    [{ $or: [{ a: 1 }, { b: 1 }] }, { b: 1 }, true],
    [{ $and: [{ a: 1 }, { b: 1 }] }, { b: 1 }, false],
    [[{ a: 1 }, { b: { $gt: 0 } }], { a: 1, b: 1 }, true],
    [[{ a: 1 }, { b: { $gt: 1 } }], { a: 1, b: 1 }, false],
  ])('%j on %j: %s', (where, doc, expected) => {
    expect(matches(where, doc)).toBe(expected);
  });
});

describe('refusals', () => {
  const deep = (depth: number): JsonObject => (depth === 0 ? { a: 1 } : { $and: [deep(depth - 1)] });
  const deepValue = (depth: number): Json => (depth === 0 ? 1 : { a: deepValue(depth - 1) });

  it.each<[unknown, string]>([
    ['x', 'where'],
    [null, 'where'],
    [7, 'where'],
    [{ $nor: [{ a: 1 }] }, '$nor'],
    [{ $where: 'true' }, '$where'],
    [{ a: { $regex: 'x' } }, '$regex'],
    [{ a: { $inQuery: {} } }, '$inQuery'],
    [{ a: { $not: { $gt: 1 } } }, '$not'],
    [{ a: { $or: [] } }, '$or'],
    [{ a: { $nearSphere: {} } }, '$nearSphere'],
    [{ a: { $in: 'x' } }, '$in needs a list'],
    [{ a: { $nin: {} } }, '$nin needs a list'],
    [{ a: { $all: 1 } }, '$all needs a list'],
    [{ $or: [] }, '$or needs a list'],
    [{ $and: {} }, '$and needs a list'],
    [{ $or: ['x'] }, '$or needs a list'],
    [['x'], '$and needs a list'],
    [{ $or: [{ a: { $regex: 'x' } }] }, '$regex'],
    [{ a: { __type: 'Date', iso: 'x' } }, 'typed values'],
    [{ a: { $gt: { __type: 'Date', iso: 'x' } } }, 'typed values'],
    [{ a: { $in: [{ __type: 'Pointer' }] } }, 'typed values'],
    [{ a: { $gt: 1, b: 2 } }, 'cannot be mixed'],
    [deep(9), 'nested too deeply'],
    [{ a: deepValue(20) }, 'nested too deeply'],
    [{ constructor: null }, 'where'],
  ])('%j names what is wrong', (where, word) => {
    expect(() => parseWhere(where)).toThrow(InvalidInput);
    expect(() => parseWhere(where)).toThrow(word);
  });

  it.each<[JsonObject]>([
    [{ a: { $all: [{ $where: 'process.exit(1)' }] } }],
    [{ a: { $in: [{ $where: 'process.exit(1)' }] } }],
    [{ a: { $ne: { $where: 'process.exit(1)' } } }],
    [{ a: { b: { $where: 'process.exit(1)' } } }],
    [{ a: [{ $where: 'process.exit(1)' }] }],
    [{ $and: [{ a: { $all: [[{ b: { $where: 'process.exit(1)' } }]] } }] }],
  ])('an operator inside a value never reaches the matcher: %j', (where) => {
    expect(() => parseWhere(where)).toThrow('the operator $where is not supported');
  });

  it('every refusal is a bad query', () => {
    expect(() => parseWhere({ $x: 1 })).toThrow(expect.objectContaining({ problem: 'invalid-query' }));
  });
});
