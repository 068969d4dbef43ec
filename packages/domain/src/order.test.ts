import { InvalidInput } from './invalid-input';
import type { JsonObject } from './json';
import { comparatorOf, parseOrder } from './order';
import { selectorOf } from './selected-keys';

const doc = (n: number | string | boolean | undefined, m = 0): JsonObject => (n === undefined ? { m } : { n, m });
const sorted = (order: string, docs: readonly JsonObject[]) => [...docs].sort(comparatorOf(parseOrder(order)));

it('numbers are in their order, missing values first', () => {
  expect(sorted('n', [doc(10), doc(9), doc(undefined), doc(-1)])).toEqual([doc(undefined), doc(-1), doc(9), doc(10)]);
});

it('a minus sign turns one key around, later keys decide between equals', () => {
  expect(sorted('-n, m', [doc('a', 2), doc('b', 3), doc('b', 1)])).toEqual([doc('b', 1), doc('b', 3), doc('a', 2)]);
});

it('values of different kinds have an order too', () => {
  expect(sorted('n', [doc(true), doc('1'), doc(1)])).toEqual([doc(1), doc('1'), doc(true)]);
});

it('dates are in the order of time', () => {
  const date = (iso: string) => ({ at: { __type: 'Date', iso } });
  const [early, late] = [date('2026-01-01T00:00:00.000Z'), date('2026-02-01T00:00:00.000Z')];
  expect([late, early].sort(comparatorOf(parseOrder('at')))).toEqual([early, late]);
});

it.each(['$where', 'a b', '--a', '-'])('the order %j is refused', (order) => {
  expect(() => parseOrder(order)).toThrow(InvalidInput);
});

describe('selected keys', () => {
  const full = { objectId: 'o', createdAt: 'c', updatedAt: 'u', a: 1, b: { c: 2, d: 3 }, e: 4 };
  it.each([
    [['a'], { objectId: 'o', createdAt: 'c', updatedAt: 'u', a: 1 }],
    [['b.c', 'missing', 'e.f'], { objectId: 'o', createdAt: 'c', updatedAt: 'u', b: { c: 2 } }],
    [['-a', '-b.c'], { objectId: 'o', createdAt: 'c', updatedAt: 'u', b: { d: 3 }, e: 4 }],
    [[], full],
  ])('%j', (keys, expected) => {
    expect(selectorOf(keys)(full)).toEqual(expected);
  });
});
