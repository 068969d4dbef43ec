import { SHARDS } from '@pushfleet/store';
import { lanesFor } from './plan';

const fate = { channel: 'hms', profile: '_default' };
const lanes = (expected: number, firstId = 1) => lanesFor({ bucket: 'hms/_default', fate, expected, firstId, now: 7 });

test.each([
  [1, 1],
  [4000, 1],
  [4001, 2],
  [11_999, 3],
  [20_000, 5],
  [10_000_000, 8],
])('the lanes of %d devices are %d and hold every shard exactly once', (expected, count) => {
  const planned = lanes(expected);
  expect(planned).toHaveLength(count);
  const shards = planned.flatMap(({ fromShard, toShard }) =>
    Array.from({ length: toShard - fromShard }, (_, i) => fromShard + i),
  );
  expect(shards).toEqual(Array.from({ length: SHARDS }, (_, shard) => shard));
});

test('lanes are numbered on from the given one', () => {
  expect(lanes(9000, 4).map(({ id }) => id)).toEqual([4, 5, 6]);
});

test('a lane of discarded devices carries the reason and no profile', () => {
  const discard = { channel: 'mz', discard: 'silent-unsupported' } as const;
  expect(lanesFor({ bucket: 'mz/a', fate: discard, expected: 1, firstId: 1, now: 7 })).toEqual([
    expect.objectContaining({ channel: 'mz', profile: '', discard: 'silent-unsupported', bucket: 'mz/a' }),
  ]);
});

test('a lane of dead registrations leaves out those that die later', () => {
  const gone = { channel: 'mz', discard: 'registration-gone' } as const;
  const [lane] = lanesFor({ bucket: 'retired:mz', fate: gone, expected: 1, firstId: 1, now: 7 });
  expect([lane?.retiredUntil, lanes(1)[0]?.retiredUntil]).toEqual([7, undefined]);
});
