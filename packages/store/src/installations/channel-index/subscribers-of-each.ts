import { LIMITS, type RouteBucket } from '@pushfleet/domain';
import { luaScript } from '../../kit/lua/script';
import { splitAddress } from '../stored';
import { ALL_SHARDS } from '../../kit/shards';
import type { ChannelPlaces, ChannelShards, IndexParts, IndexReader, PlacesQuestion } from './entries';
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
  /** Channels that have more subscribers than are looked at, or had them until lately: the index follows within a day. */
  readonly crowded: ReadonlySet<string>;
  /** Channels that were not looked for: those in the most shards, where all of them together are in too many. */
  readonly unasked: ReadonlySet<string>;
}

interface Question {
  readonly app: string;
  readonly channels: readonly string[];
  /** The index is known to be whole; otherwise every shard is asked. */
  readonly isTrusted: boolean;
}

const MAX_SUBSCRIBERS = LIMITS.subscribersLookedAt.value;
/** Channels of shards that one question looks at. */
const MAX_LOOKS = LIMITS.subscriberLookUps.value;
/** Where the index is not known to be whole, every shard is asked for each of them. */
const MAX_UNINDEXED = LIMITS.offlineClientsUnindexed.value;

const subscribersOfEachInShard = luaScript('installations/subscribers-of-each', {
  params: {
    records: 'key',
    bucketsBegin: 'text',
    subscriptionsBegin: 'text',
    limit: 'number',
    buckets: 'texts',
    channels: 'texts',
  },
  answer: (raw: readonly (number | string)[]) => raw,
});

/**
 * The devices subscribed to each of some channels that belong to few devices. What is read is bounded, whatever devices subscribe to.
 * Undefined while the index is not known to be whole and more channels are asked for than can be looked for everywhere.
 */
export async function subscribersOfEach(
  parts: IndexReader,
  { app, channels, isTrusted }: Question,
): Promise<SubscribersOfEach | undefined> {
  if (channels.length === 0) return { of: new Map(), crowded: new Set(), unasked: new Set() };
  if (!isTrusted && channels.length > MAX_UNINDEXED) return undefined;
  const { entries, buckets } = isTrusted
    ? await parts.askPlaces({ app, channels })
    : await everywhere(parts, { app, channels });
  const { asked, crowded, unasked } = isTrusted ? chosen(entries) : { ...NONE_LEFT_OUT, asked: entries };
  const read = await Promise.all(
    [...termsByShard(asked)].map(([shard, names]) => readShard(parts, { app, buckets }, { shard, channels: names })),
  );
  return { ...joined(read.flat(), crowded), unasked };
}

async function everywhere({ redis, keys }: IndexParts, { app, channels }: PlacesQuestion): Promise<ChannelPlaces> {
  const entries = new Map(channels.map((channel) => [channel, ALL_SHARDS]));
  return { entries, buckets: await redis.smembers(keys.buckets(app)) };
}

interface Chosen extends Omit<SubscribersOfEach, 'of'> {
  readonly asked: ReadonlyMap<string, ChannelShards>;
}

const NONE_LEFT_OUT: Omit<Chosen, 'asked'> = { crowded: new Set(), unasked: new Set() };

/** Channels in few shards come first: one that is everywhere takes no look from another. */
function chosen(entries: ReadonlyMap<string, ChannelShards>): Chosen {
  const asked = new Map<string, ChannelShards>();
  const [crowded, unasked] = [new Set<string>(), new Set<string>()];
  let looks = 0;
  for (const [channel, shards] of [...entries].sort(([, a], [, b]) => a.length - b.length)) {
    if (shards.length > MAX_SUBSCRIBERS) crowded.add(channel);
    else if (looks + shards.length > MAX_LOOKS) unasked.add(channel);
    else {
      looks += shards.length;
      asked.set(channel, shards);
    }
  }
  return { asked, crowded, unasked };
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
    limit: MAX_SUBSCRIBERS,
    buckets,
    channels,
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

function joined(found: readonly Found[], known: ReadonlySet<string>): Omit<SubscribersOfEach, 'unasked'> {
  const of = new Map<string, Subscriber[]>();
  const crowded = new Set(known);
  for (const { channel, subscriber } of found) {
    const before = of.get(channel) ?? [];
    if (subscriber && before.length < MAX_SUBSCRIBERS) of.set(channel, [...before, subscriber]);
    else crowded.add(channel);
  }
  for (const channel of crowded) of.delete(channel);
  for (const subscribers of of.values()) subscribers.sort(byLastSave);
  return { of, crowded };
}
