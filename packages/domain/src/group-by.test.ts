import { groupBy } from './group-by';

test('groups stand in the order of their first member, members in theirs', () => {
  const groups = groupBy(['b1', 'a1', 'b2', 'c1', 'a2'], (text) => text[0]);
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1', 'a2']],
    ['c', ['c1']],
  ]);
});

test('nothing makes no group', () => {
  expect(groupBy([], String).size).toBe(0);
});
