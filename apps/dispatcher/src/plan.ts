import {
  MAX_SAMPLES,
  profileBucket,
  type Fate,
  type FateOf,
  type Lane,
  type RouteBucket,
  type StoredPage,
} from '@pushfleet/domain';
import { Books, SHARDS, type PushToSend, type Store } from '@pushfleet/store';

export interface PlannedPush {
  readonly push: PushToSend;
  readonly fateOf: FateOf;
}

/** The lanes and direct pages of one push, and its books before any of them runs. */
export interface Plan {
  readonly lanes: readonly Lane[];
  readonly pages: readonly StoredPage[];
  readonly books: readonly Books[];
}

/** From this many devices on a lane is worth a job. */
const DEVICES_PER_LANE = 4000;
const MAX_LANES = 8;

/** Plans an audience push: bucket by bucket either lanes, or a discard that needs no walk. */
export async function planAudience({ push, fateOf }: PlannedPush, store: Store): Promise<Plan> {
  const { subscriptions, predicate } = push.audience;
  const lanes: Lane[] = [];
  const books: Books[] = [];
  for (const [bucket, expected] of await store.installations.bucketSizes(push.app, push.audience)) {
    const fate = fateOf(bucket);
    const column = new Books(fate.channel);
    column.add('expected', expected);
    books.push(column);
    const isCounted = !predicate && (subscriptions?.length ?? 0) <= 1;
    if ('discard' in fate && isCounted) {
      column.add('matched', expected);
      const samples = await sampleOf(store, { push, bucket });
      column.refuse('discarded', fate.discard, { count: expected, samples });
      column.noteMissing(profileBucket(bucket)?.profile, fate.discard, expected);
    } else {
      lanes.push(...lanesFor({ bucket, fate, expected, firstId: lanes.length + 1 }));
    }
  }
  return { lanes, pages: [], books };
}

async function sampleOf(
  store: Store,
  { push, bucket }: { push: PushToSend; bucket: RouteBucket },
): Promise<readonly string[]> {
  const { subscriptions } = push.audience;
  const from = { shard: 0, objectId: '' };
  const walk = store.installations.walk({
    app: push.app,
    bucket,
    from,
    toShard: SHARDS,
    subscriptions,
    pageSize: MAX_SAMPLES,
  });
  return (await walk.next()).devices.map(({ objectId }) => objectId);
}

interface LanesRequest {
  readonly bucket: RouteBucket;
  readonly fate: Fate;
  readonly expected: number;
  readonly firstId: number;
}

/** Lanes that share the app's shards among them: every shard stands in exactly one. */
export function lanesFor({ bucket, fate, expected, firstId }: LanesRequest): readonly Lane[] {
  const count = Math.min(MAX_LANES, Math.ceil(expected / DEVICES_PER_LANE));
  const way = 'discard' in fate ? { profile: '', discard: fate.discard } : { profile: fate.profile };
  return Array.from({ length: count }, (_, i) => ({
    id: firstId + i,
    channel: fate.channel,
    ...way,
    bucket,
    fromShard: Math.floor((SHARDS * i) / count),
    toShard: Math.floor((SHARDS * (i + 1)) / count),
  }));
}
