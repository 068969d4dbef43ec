import { nextRound } from './sample-lanes';

it.each([
  ['one shard, as long as nothing is known of them', 20_000, { shards: 0, lookedAt: 0, next: 1 }],
  ['as few as hold what is missing', 15_000, { shards: 1, lookedAt: 5000, next: 3 }],
  ['at least one', 1, { shards: 1, lookedAt: 40_000, next: 1 }],
  ['eight at most', 19_000, { shards: 10, lookedAt: 1000, next: 8 }],
  ['eight after empty ones', 20_000, { shards: 1, lookedAt: 0, next: 8 }],
])('looks at %s', (_, missing, { next, ...soFar }) => {
  expect(nextRound(missing, soFar)).toBe(next);
});
