import { LIMITS, type RouteBucket } from '@pushfleet/domain';
import { luaScript } from '../../kit/lua/script';
import { SHARDS } from '../../kit/shards';
import { splitAddress } from '../stored';
import { ALL_SHARDS, readEntries, type ChannelShards, type IndexParts } from './entries';
import { termsByShard } from './subscribers';

/** A device that is subscribed to a channel. */
export interface Subscriber {
  readonly installation: { readonly objectId: string; readonly registrationId: string };
  readonly bucket: RouteBucket;
  /** Of its last save, as it was written. */
  readonly updatedAt: string;
}

export interface SubscribersOfEach {
  /** By channel, for the channels that have one or more and are not crowded; what was saved last comes first. */
  readonly of: ReadonlyMap<string, readonly Subscriber[]>;
  /** Channels with more subscribers, or in more shards, than are looked at. */
  readonly crowded: ReadonlySet<string>;
}

interface Question {
  readonly app: string;
  readonly channels: readonly string[];
  /** The index is known to be whole; otherwise every shard is asked. */
  readonly isTrusted: boolean;
}

const MAX_SUBSCRIBERS = LIMITS.subscribersLookedAt.value;
/** Channels of shards that one question looks at: a few channels everywhere, or hundreds that have a few devices each. */
const MAX_LOOKS = LIMITS.offlineClientsUnindexed.value * SHARDS;

const subscribersOfEachInShard = luaScript('installations/subscribers-of-each', {
  params: {
    ...{ records: 'key', bucketsBegin: 'text', subscriptionsBegin: 'text', limit: 'number' },
    ...{ buckets: 'texts', channels: 'texts' },
  },
  answer: (raw: readonly (number | string)[]) => raw,
});

/**
 * The devices subscribed to each of some channels that belong to few devices. What is read is bounded, whatever devices subscribe to.
 * Undefined while the index is not known to be whole and more channels are asked for than can be looked for everywhere.
 */
export async function subscribersOfEach(
  parts: IndexParts,
  { app, channels, isTrusted }: Question,
): Promise<SubscribersOfEach | undefined> {
  if (channels.length === 0) return { of: new Map(), crowded: new Set() };
  if (!isTrusted && channels.length * SHARDS > MAX_LOOKS) return undefined;
  const [entries, buckets] = await Promise.all([
    isTrusted ? readEntries(parts, app, channels) : new Map(channels.map((channel) => [channel, ALL_SHARDS])),
    parts.redis.smembers(parts.keys.buckets(app)),
  ]);
  const { asked, crowded } = isTrusted ? withoutCrowded(entries) : { asked: entries, crowded: new Set<string>() };
  const read = await Promise.all(
    [...termsByShard(asked)].map(([shard, names]) => readShard(parts, { app, buckets }, { shard, channels: names })),
  );
  return joined(read.flat(), crowded);
}

/** Channels in few shards come first: one that is everywhere takes no look from another. */
function withoutCrowded(entries: ReadonlyMap<string, ChannelShards>): {
  readonly asked: ReadonlyMap<string, ChannelShards>;
  readonly crowded: Set<string>;
} {
  const asked = new Map<string, ChannelShards>();
  const crowded = new Set<string>();
  let looks = 0;
  for (const [channel, shards] of [...entries].sort(([, a], [, b]) => a.length - b.length)) {
    looks += shards.length;
    if (shards.length > MAX_SUBSCRIBERS || looks > MAX_LOOKS) crowded.add(channel);
    else asked.set(channel, shards);
  }
  return { asked, crowded };
}

interface Found {
  readonly channel: string;
  /** Absent where the shard has too many. */
  readonly subscriber?: Subscriber;
}

async function readShard(
  { redis, keys }: IndexParts,
  { app, buckets }: { readonly app: string; readonly buckets: readonly RouteBucket[] },
  { shard, channels }: { readonly shard: number; readonly channels: readonly string[] },
): Promise<readonly Found[]> {
  const flat = await subscribersOfEachInShard(redis, {
    records: keys.records(app, shard),
    bucketsBegin: keys.bucket(app, shard, ''),
    subscriptionsBegin: keys.subscriptions(app, shard),
    ...{ limit: MAX_SUBSCRIBERS, buckets, channels },
  });
  const found: Found[] = [];
  for (let i = 0; i < flat.length; i += 4) {
    const channel = channels[Number(flat[i]) - 1] ?? '';
    const bucket = buckets[Number(flat[i + 1]) - 1];
    const installation = splitAddress(String(flat[i + 2]));
    const updatedAt = String(flat[i + 3]);
    found.push(bucket === undefined ? { channel } : { channel, subscriber: { installation, bucket, updatedAt } });
  }
  return found;
}

const byLastSave = (a: Subscriber, b: Subscriber): number =>
  Number(a.updatedAt < b.updatedAt) - Number(a.updatedAt > b.updatedAt);

function joined(found: readonly Found[], crowded: Set<string>): SubscribersOfEach {
  const of = new Map<string, Subscriber[]>();
  for (const { channel, subscriber } of found) {
    const known = of.get(channel) ?? [];
    if (subscriber && known.length < MAX_SUBSCRIBERS) of.set(channel, [...known, subscriber]);
    else crowded.add(channel);
  }
  for (const channel of crowded) of.delete(channel);
  for (const subscribers of of.values()) subscribers.sort(byLastSave);
  return { of, crowded };
}
