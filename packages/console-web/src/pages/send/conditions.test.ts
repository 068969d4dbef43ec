import { whereOf, type Condition } from './conditions';

const whereFor = (column: string, operator: Condition['operator'], value: string) =>
  whereOf([{ column, operator, value }]);

it.each([
  ['7', 7],
  ['-7', -7],
  ['1.5', 1.5],
  ['9007199254740991', 9007199254740991],
  ['1234567890123456789', 1234567890123456789n],
  ['-1234567890123456789', -1234567890123456789n],
  ['"1234567890123456789"', '1234567890123456789'],
  ['007', '007'],
  ['0123456789012345', '0123456789012345'],
  ['0.5', 0.5],
  ['1234a', '1234a'],
  ['true', true],
])('what is typed as %s is compared as %p', (typed, value) => {
  expect(whereFor('c', 'is', typed)).toEqual([{ c: value }]);
});

it('every one of several values is itself', () => {
  expect(whereFor('c', 'isAny', '1, 1234567890123456789, a')).toEqual([{ c: { $in: [1, 1234567890123456789n, 'a'] } }]);
});
