import {
  LIMITS,
  MAX_SAMPLES,
  profileBucket,
  type DiscardReason,
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

interface AudiencePorts {
  readonly store: Store;
  readonly now: () => number;
}

/** Plans an audience push: bucket by bucket either lanes, or a discard that needs no walk. */
export async function planAudience({ push, fateOf }: PlannedPush, { store, now }: AudiencePorts): Promise<Plan> {
  const { subscriptions, predicate } = push.audience;
  const isCounted = !predicate && (subscriptions?.length ?? 0) <= 1;
  const lanes: Lane[] = [];
  const books: Books[] = [];
  let namesLeft = LIMITS.namedRefusals.value;
  for (const [bucket, expected] of await store.installations.bucketSizes(push.app, push.audience)) {
    const fate = fateOf(bucket);
    const column = new Books(fate.channel);
    column.add('expected', expected);
    books.push(column);
    if ('discard' in fate && isCounted) {
      const isNamed = expected <= namesLeft;
      const samples = await namesIn(store, { push, bucket }, isNamed ? namesLeft : MAX_SAMPLES);
      const count = isNamed ? samples.length : expected;
      if (isNamed) namesLeft -= count;
      refuseAll(column, { bucket, reason: fate.discard, count, samples });
    } else {
      lanes.push(...lanesFor({ bucket, fate, expected, firstId: lanes.length + 1, now: now() }));
    }
  }
  return { lanes, pages: [], books };
}

interface RefusedBucket {
  readonly bucket: RouteBucket;
  readonly reason: DiscardReason;
  readonly count: number;
  /** All of its devices, or some. */
  readonly samples: readonly string[];
}

function refuseAll(column: Books, { bucket, reason, count, samples }: RefusedBucket): void {
  column.add('matched', count);
  column.refuse('discarded', reason, { count, samples });
  column.noteMissing(profileBucket(bucket)?.profile, reason, count);
}

const NAMES_AT_ONCE = 1000;

/** The objectIds of the devices of a bucket, up to so many. */
async function namesIn(
  store: Store,
  { push, bucket }: { push: PushToSend; bucket: RouteBucket },
  most: number,
): Promise<readonly string[]> {
  const { subscriptions } = push.audience;
  const walk = store.installations.walk({
    app: push.app,
    bucket,
    from: { shard: 0, objectId: '' },
    toShard: SHARDS,
    subscriptions,
    pageSize: Math.min(most, NAMES_AT_ONCE),
  });
  const names: string[] = [];
  for (let isOver = most === 0; !isOver;) {
    const { devices, end } = await walk.next();
    for (const { objectId } of devices) names.push(objectId);
    isOver = end === undefined || names.length >= most;
  }
  return names.slice(0, most);
}

interface LanesRequest {
  readonly bucket: RouteBucket;
  readonly fate: Fate;
  readonly expected: number;
  readonly firstId: number;
  readonly now: number;
}

/** Lanes that share the app's shards among them: every shard stands in exactly one. */
export function lanesFor({ bucket, fate, expected, firstId, now }: LanesRequest): readonly Lane[] {
  const count = Math.min(MAX_LANES, Math.ceil(expected / DEVICES_PER_LANE));
  const way = 'discard' in fate ? { profile: '', discard: fate.discard } : { profile: fate.profile };
  // The push itself finds registrations dead, which move to the bucket of this lane.
  const until = 'discard' in fate && fate.discard === 'registration-gone' ? { retiredUntil: now } : {};
  return Array.from({ length: count }, (_, i) => ({
    id: firstId + i,
    channel: fate.channel,
    ...way,
    ...until,
    bucket,
    fromShard: Math.floor((SHARDS * i) / count),
    toShard: Math.floor((SHARDS * (i + 1)) / count),
  }));
}
