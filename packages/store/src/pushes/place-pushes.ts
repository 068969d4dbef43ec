import { randomInt } from 'node:crypto';
import { groupBy } from '@pushfleet/domain';
import { shardOf, SHARDS } from '../kit/shards';
import type { NewPush } from './new-push';
import { shardOfPush } from './keys';
import { openPushIds } from './push-ids';

/** A new push with the id, and the shard, that it gets. */
export interface PlacedPush {
  /** Among those that came with it. */
  readonly index: number;
  readonly shard: number;
  readonly id: string;
  readonly push: NewPush;
}

/** How long new pushes go to one shard. Pushes of one shard share a script, and the shards take turns. */
const SHARD_TURN_MS = 100;

/** Gives new pushes their ids; returns them by shard. */
export function openPlacing(): (pushes: readonly NewPush[], now: number) => ReadonlyMap<number, readonly PlacedPush[]> {
  const newPushId = openPushIds();
  const firstShard = randomInt(SHARDS);
  return (pushes, now) => {
    const current = (firstShard + Math.floor(now / SHARD_TURN_MS)) % SHARDS;
    const placed = pushes.map((push, index) => {
      const shard = shardFor(push) ?? current;
      return { index, shard, id: push.place?.pushId ?? newPushId(shard), push };
    });
    return groupBy(placed, ({ shard }) => shard);
  };
}

/** The record of a push with a req_id stands in the slot of the claim. Undefined: any shard will do. */
export function shardFor({ app, reqId, place }: Pick<NewPush, 'app' | 'reqId' | 'place'>): number | undefined {
  if (place) return shardOfPush(place.pushId);
  return reqId === undefined ? undefined : shardOf(`${app}:${reqId}`);
}
