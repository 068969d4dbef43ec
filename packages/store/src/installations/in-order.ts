import type { LanePosition } from '@pushfleet/domain';
import { SHARDS } from '../kit/shards';
import type { Places } from './read';

export interface Ordered {
  readonly app: string;
  /** Behind this one; absent: from the beginning. */
  readonly from?: LanePosition | undefined;
  /** Read together: few at first, more the longer it goes on. */
  readonly atOnce: { readonly first: number; readonly most: number };
}

export interface OrderedRecord {
  readonly objectId: string;
  readonly text: string;
}

/**
 * The records of an app in (shard, objectId) order, some at a time. The ids of a shard are read once, when it is reached: an app of
 * two million has about 8,000 in each. Who is there all the while comes once; who is saved or removed meanwhile may come or not.
 * Whoever goes on behind an objectId, after a restart too, misses none of the former and meets none twice.
 */
export async function* inOrder(
  { redis, keys }: Places,
  { app, from, atOnce }: Ordered,
): AsyncGenerator<readonly OrderedRecord[]> {
  let size = Math.min(atOnce.first, atOnce.most);
  for (let shard = from?.shard ?? 0; shard < SHARDS; shard += 1) {
    const key = keys.records(app, shard);
    const behind = shard === from?.shard ? from.objectId : '';
    const ids = (await redis.hkeys(key)).filter((objectId) => objectId > behind).sort();
    for (let i = 0; i < ids.length;) {
      const some = ids.slice(i, i + size);
      const texts = await redis.hmget(key, ...some);
      const records = some.map((objectId, at) => ({ objectId, text: texts[at] }));
      yield records.filter((record): record is OrderedRecord => typeof record.text === 'string');
      i += size;
      size = Math.min(2 * size, atOnce.most);
    }
  }
}
