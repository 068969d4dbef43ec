import { chunksOf } from './chunks-of';

test.each([
  [[], []],
  [['a', 'b'], [['a', 'b']]],
  [
    ['a', 'b', 'c', 'd', 'e'],
    [['a', 'b'], ['c', 'd'], ['e']],
  ],
])('%j is cut into pieces of two', (items, pieces) => {
  expect(chunksOf(items, 2)).toEqual(pieces);
});
