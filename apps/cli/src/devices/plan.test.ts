import { isAcknowledging, sharesOf } from './plan';

test('every device is in exactly one process, and no process is empty', () => {
  expect(sharesOf(10, 3)).toEqual([
    { first: 0, count: 3 },
    { first: 3, count: 3 },
    { first: 6, count: 4 },
  ]);
  expect(sharesOf(2, 5).map(({ count }) => count)).toEqual([1, 1]);
});

test.each([
  [0, 0],
  [0.25, 25],
  [0.9, 90],
  [1, 100],
])('a share of %d acknowledges on %d of a hundred devices', (share, devices) => {
  const acknowledging = Array.from({ length: 100 }, (_, n) => isAcknowledging(n, share)).filter(Boolean);
  expect(acknowledging).toHaveLength(devices);
});
