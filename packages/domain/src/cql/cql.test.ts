import { InvalidInput } from '../invalid-input';
import { parseCql } from './index';

const whereOf = (conditions: string, values?: readonly string[]) =>
  parseCql(`select * from _Installation where ${conditions}`, values).where;

describe('a condition', () => {
  it.each([
    ["installationId='abc'", { installationId: 'abc' }],
    ['launches >= 3 and launches < 9', { $and: [{ launches: { $gte: 3 } }, { launches: { $lt: 9 } }] }],
    ["vendor = 'mi' and valid = true", { vendor: 'mi', valid: true }],
    ["vendor != 'mi' or vendor <> 'oppo'", { $or: [{ vendor: { $ne: 'mi' } }, { vendor: { $ne: 'oppo' } }] }],
    ['channels in (\'a\', "b")', { channels: { $in: ['a', 'b'] } }],
    ["vendor not in ('a')", { vendor: { $nin: ['a'] } }],
    ["channels all ('a','b')", { channels: { $all: ['a', 'b'] } }],
    ["name like 'a.b%_'", { name: { $regex: '^a\\.b.*.$' } }],
    ["name regexp '^a'", { name: { $regex: '^a' } }],
    ['vendor is exists', { vendor: { $exists: true } }],
    ['vendor is not exists', { vendor: { $exists: false } }],
    [
      "createdAt > date('2026-01-01T00:00:00.000Z')",
      { createdAt: { $gt: { __type: 'Date', iso: '2026-01-01T00:00:00.000Z' } } },
    ],
    ["(a=1 or b=2) and c='it\\'s'", { $and: [{ $or: [{ a: 1 }, { b: 2 }] }, { c: "it's" }] }],
    ['a.b = -1.5', { 'a.b': -1.5 }],
  ])('%s', (conditions, where) => {
    expect(whereOf(conditions)).toEqual(where);
  });

  it('takes its values from outside, in order', () => {
    expect(whereOf('a = ? and b = ?', ['x', 'y'])).toEqual({ a: 'x', b: 'y' });
  });

  it('a word in quotes is text, never a keyword', () => {
    expect(whereOf("a = 'or' and b = 'limit 3'")).toEqual({ a: 'or', b: 'limit 3' });
  });
});

describe('the rest', () => {
  it('keys, order and range', () => {
    expect(parseCql('SELECT a, b.c FROM _Installation ORDER BY a DESC, b LIMIT 20, 10')).toEqual({
      ...{ className: '_Installation', keys: ['a', 'b.c'], isCount: false, where: {}, skip: 20, limit: 10 },
      order: [
        { field: 'a', isDescending: true },
        { field: 'b', isDescending: false },
      ],
    });
  });

  it('a count', () => {
    expect(parseCql('select count(*) from _Installation')).toMatchObject({ isCount: true, where: {} });
  });
});

it.each([
  '',
  'delete from _Installation',
  'select * from',
  'select * from _Installation where',
  'select * from _Installation where a',
  'select * from _Installation where a = ',
  "select * from _Installation where a = 'open",
  'select * from _Installation where a = ?',
  'select * from _Installation where (a = 1',
  'select * from _Installation where a = b',
  'select * from _Installation limit -1',
  'select * from _Installation; drop',
  `select * from _Installation where ${'('.repeat(20)}a=1${')'.repeat(20)}`,
])('%s is refused', (cql) => {
  expect(() => parseCql(cql)).toThrow(InvalidInput);
});

it('one that nests too deep is told how deep it may', () => {
  const nested = `select * from _Installation where ${'('.repeat(20)}a=1${')'.repeat(20)}`;
  expect(() => parseCql(nested)).toThrow('cql: nested too deeply: at most 8 levels');
});
