import { groupBy } from '@pushfleet/domain';
import { shardOf, SHARDS } from '../../kit/shards';
import type { InstallationKeys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../../kit/redis';

/** The shards of an app in which a channel may have subscribers: all of those where it has some, and others. */
export type ChannelShards = readonly number[];

export interface IndexParts {
  readonly redis: RedisClient;
  readonly keys: InstallationKeys;
}

/** A channel in more shards than this is kept as one in all of them: it takes as long to ask them all, and less room. */
const MAX_LISTED = SHARDS / 2;
/** What stands in the place of a list: the channel may have subscribers everywhere. */
const EVERYWHERE = '*';
const ALL_SHARDS: ChannelShards = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Two hexadecimal digits for each shard. */
export const encodeShards = (shards: ChannelShards): string =>
  shards.length > MAX_LISTED ? EVERYWHERE : shards.map((shard) => shard.toString(16).padStart(2, '0')).join('');

export const decodeShards = (text: string): ChannelShards =>
  text === EVERYWHERE
    ? ALL_SHARDS
    : Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));

/**
 * Adds shards to channels, and takes back the doubts about them when a device is about to subscribe.
 * KEYS shards, doubts; ARGV '1' takes doubts back, then for each channel its name and its shards. Answers how many were new.
 */
const addScript = defineScript(`
local added, hasDoubts = 0, ARGV[1] == '1' and redis.call('EXISTS', KEYS[2]) == 1
for i = 2, #ARGV, 2 do
  local channel, wanted = ARGV[i], ARGV[i + 1]
  local held = redis.call('HGET', KEYS[1], channel) or ''
  if held ~= '${EVERYWHERE}' then
    local known, fresh = {}, {}
    for at = 1, #held, 2 do known[string.sub(held, at, at + 1)] = true end
    for at = 1, #wanted, 2 do
      local shard = string.sub(wanted, at, at + 1)
      if wanted == '${EVERYWHERE}' or not known[shard] then fresh[#fresh + 1] = shard end
    end
    if #fresh > 0 then
      added = added + #fresh
      local all = held .. table.concat(fresh)
      if wanted == '${EVERYWHERE}' or #all > ${2 * MAX_LISTED} then all = '${EVERYWHERE}' end
      redis.call('HSET', KEYS[1], channel, all)
    end
  end
  if hasDoubts then redis.call('HDEL', KEYS[2], channel) end
end
return added`);

/** Channels that go into one script at most. */
const AT_ONCE = 500;

export interface Addition {
  /** The shards by the name of the channel. */
  readonly entries: ReadonlyMap<string, ReadonlySet<number>>;
  /** A record is about to be written that subscribes to them; otherwise it is there already. */
  readonly isBefore: boolean;
}

/** Resolves with the number of entries that were missing. */
export async function addEntries(
  { redis, keys }: IndexParts,
  app: string,
  { entries, isBefore }: Addition,
): Promise<number> {
  const portions = [...groupBy([...entries], ([channel]) => shardOf(channel))].flatMap(([shard, group]) =>
    Array.from(
      { length: Math.ceil(group.length / AT_ONCE) },
      (_, i) => [shard, group.slice(i * AT_ONCE, (i + 1) * AT_ONCE)] as const,
    ),
  );
  const added = await Promise.all(
    portions.map(([shard, group]) =>
      runScript(redis, addScript, {
        keys: [keys.channelShards(app, shard), keys.channelDoubts(app, shard)],
        args: [isBefore ? '1' : '0', ...group.flatMap(([channel, shards]) => [channel, encodeShards([...shards])])],
      }),
    ),
  );
  return added.reduce<number>((sum, one) => sum + Number(one), 0);
}

/** No shards where a channel has no subscriber. */
export async function readEntries(
  { redis, keys }: IndexParts,
  app: string,
  channels: readonly string[],
): Promise<ReadonlyMap<string, ChannelShards>> {
  const found = await Promise.all(
    channels.map(async (channel) => {
      const text = await redis.hget(keys.channelShards(app, shardOf(channel)), channel);
      return [channel, decodeShards(text ?? '')] as const;
    }),
  );
  return new Map(found);
}
