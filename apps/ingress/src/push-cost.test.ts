import type { Audience } from '@pushfleet/domain';
import { openCostOf } from './push-cost';

/** Indexes that narrow an audience to so many shards; undefined: none does. */
const costWith = (shards: number | undefined, audience: Audience): Promise<number> => {
  const read = () => Promise.resolve([]);
  const found = shards === undefined ? undefined : { shards, walks: [], read };
  return openCostOf({ narrow: () => Promise.resolve(found) })({
    app: 'app',
    audience,
  });
};

test.each<[string, { to: Audience; shards?: number; cost: number }]>([
  ['devices that are named', { to: { addressed: { field: 'objectId', values: ['a'] } }, cost: 1 }],
  ['the subscribers of a channel', { to: { subscriptions: ['news'] }, cost: 1 }],
  ['everybody', { to: {}, cost: 4 }],
  ['a condition that no index answers', { to: { predicate: { city: 'x' } }, cost: 4 }],
  ['a value of an indexed column that few have', { to: { predicate: { user: 'ann' } }, shards: 3, cost: 1 }],
  ['a value of an indexed column that many have', { to: { predicate: { vip: true } }, shards: 256, cost: 4 }],
])('a push to %s counts as the work that it makes', async (_, { to, shards, cost }) => {
  expect(await costWith(shards, to)).toBe(cost);
});
