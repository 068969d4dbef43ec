import type { RouteBucket } from '@pushfleet/domain';
import { defineScript, runScript } from '../../kit/redis';
import { decodeInstallation, splitAddress, type IndexedInstallation } from '../stored';
import type { ChannelShards, IndexParts } from './entries';

/**
 * The subscribers of any of some channels in one shard, with their addresses, unless they are more than a limit.
 * KEYS records; ARGV what the keys of the shard's buckets and subscriptions begin with, limit, '1' for the texts of the
 * records, number of buckets, their names, then the channels. Answers how many subscriptions there are, then for each
 * device the position of its bucket, its address and its text.
 */
const subscribersScript = defineScript(`
local limit, buckets, sets, count = tonumber(ARGV[3]), tonumber(ARGV[5]), {}, 0
for b = 1, buckets do
  for c = 6 + buckets, #ARGV do
    local key = ARGV[2] .. ARGV[5 + b] .. ':' .. ARGV[c]
    local size = redis.call('ZCARD', key)
    if size > 0 then sets[#sets + 1] = { b, key }; count = count + size end
  end
end
local out = { count }
if count > limit then return out end
local seen = {}
for _, set in ipairs(sets) do
  local bucket = ARGV[1] .. ARGV[5 + set[1]]
  for _, id in ipairs(redis.call('ZRANGE', set[2], 0, -1)) do
    if not seen[id] then
      seen[id] = true
      out[#out + 1] = set[1]
      out[#out + 1] = redis.call('ZRANGEBYLEX', bucket, '[' .. id .. ' ', '(' .. id .. '!', 'LIMIT', 0, 1)[1] or (id .. ' ')
      out[#out + 1] = ARGV[4] == '1' and redis.call('HGET', KEYS[1], id) or ''
    end
  end
end
return out`);

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
  const prefixes = [keys.bucket(app, shard, ''), keys.subscriptions(app, shard)];
  const answer = await runScript(redis, subscribersScript, {
    keys: [keys.records(app, shard)],
    args: [...prefixes, limit, withDocuments ? '1' : '0', buckets.length, ...buckets, ...channels],
  });
  const [count = 0, ...flat] = answer as [number, ...(number | string)[]];
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
