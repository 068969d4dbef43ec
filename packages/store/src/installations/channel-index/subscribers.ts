import type { RouteBucket } from '@pushfleet/domain';
import { luaScript } from '../../kit/lua/script';
import { decodeInstallation, splitAddress, type IndexedInstallation } from '../stored';
import type { ChannelShards, IndexParts } from './entries';

const subscribersOfShard = luaScript('installations/subscribers', {
  params: {
    ...{ records: 'key', bucketsBegin: 'text', subscriptionsBegin: 'text', limit: 'number', withTexts: 'text' },
    ...{ buckets: 'texts', channels: 'texts' },
  },
  answer: (raw: readonly [number, ...(number | string)[]]) => raw,
});

/** The subscribers of any of some channels. */
export interface Subscribers {
  readonly app: string;
  readonly buckets: readonly RouteBucket[];
  /** Where each of the channels may have some. */
  readonly channels: ReadonlyMap<string, ChannelShards>;
}

interface ReadOptions {
  /** Subscriptions that are read at most. */
  readonly limit: number;
  /** Read the documents too; without them an installation has its registrationId alone. */
  readonly withDocuments: boolean;
}

/** Shards asked at once; few at first, because those of a large audience show it. */
const PORTIONS = [8, 24, 96, 128];

/** Undefined when there are more than the limit. */
export async function readSubscribers(
  parts: IndexParts,
  { channels, ...subscribers }: Subscribers,
  { limit, withDocuments }: ReadOptions,
): Promise<readonly IndexedInstallation[] | undefined> {
  const channelsIn = channelsByShard(channels);
  const shards = [...channelsIn];
  // Spread by a hash, subscribers do not crowd in one shard; where they do, walking them is as good.
  const shardLimit = Math.min(limit, Math.max(64, Math.ceil((8 * limit) / Math.max(1, shards.length))));
  const found: IndexedInstallation[] = [];
  let count = 0;
  for (let at = 0, portion = 0; at < shards.length; at += PORTIONS[portion] ?? 128, portion += 1) {
    const size = PORTIONS[portion] ?? 128;
    const read = await Promise.all(
      shards
        .slice(at, at + size)
        .map(([shard, names]) =>
          readShard(parts, subscribers, { shard, channels: names, limit: shardLimit, withDocuments }),
        ),
    );
    for (const one of read) {
      count += one.count;
      if (one.count > shardLimit || count > limit) return undefined;
      found.push(...one.installations);
    }
  }
  return found;
}

function channelsByShard(channels: Subscribers['channels']): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const [channel, shards] of channels) {
    for (const shard of shards) {
      const names = found.get(shard);
      if (names) names.push(channel);
      else found.set(shard, [channel]);
    }
  }
  return found;
}

interface ShardRead extends ReadOptions {
  readonly shard: number;
  readonly channels: readonly string[];
}

async function readShard(
  { redis, keys }: IndexParts,
  { app, buckets }: Omit<Subscribers, 'channels'>,
  { shard, channels, limit, withDocuments }: ShardRead,
): Promise<{ readonly count: number; readonly installations: readonly IndexedInstallation[] }> {
  const [count, ...flat] = await subscribersOfShard(redis, {
    records: keys.records(app, shard),
    bucketsBegin: keys.bucket(app, shard, ''),
    subscriptionsBegin: keys.subscriptions(app, shard),
    ...{ limit, withTexts: withDocuments ? '1' : '0', buckets, channels },
  });
  const installations: IndexedInstallation[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    const bucket = buckets[Number(flat[i]) - 1] ?? '';
    const { objectId, registrationId } = splitAddress(String(flat[i + 1]));
    const text = String(flat[i + 2]);
    installations.push(
      withDocuments
        ? decodeInstallation(objectId, text, registrationId)
        : { objectId, doc: { registrationId }, isRetired: false, bucket },
    );
  }
  return { count, installations };
}
