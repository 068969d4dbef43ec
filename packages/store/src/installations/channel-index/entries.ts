import { chunksOf, groupBy } from '@pushfleet/domain';
import { ALL_SHARDS, shardOf, SHARDS } from '../../kit/shards';
import type { InstallationKeys } from '../keys';
import type { RedisClient } from '../../kit/redis';
import { each } from '../../kit/lua/params';
import { luaScript } from '../../kit/lua/script';

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

/** Two hexadecimal digits for each shard. */
export const encodeShards = (shards: ChannelShards): string =>
  shards.length > MAX_LISTED ? EVERYWHERE : shards.map((shard) => shard.toString(16).padStart(2, '0')).join('');

export const decodeShards = (text: string): ChannelShards =>
  text === EVERYWHERE
    ? ALL_SHARDS
    : Array.from({ length: text.length / 2 }, (_, i) => Number.parseInt(text.slice(2 * i, 2 * i + 2), 16));

const addChannels = luaScript('installations/add-channels', {
  params: { held: 'key', doubts: 'key', isBefore: 'text', channels: each({ name: 'text', shards: 'text' }) },
  constants: { EVERYWHERE, LONGEST: 2 * MAX_LISTED },
  answer: Number,
});

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
    chunksOf(group, AT_ONCE).map((some) => [shard, some] as const),
  );
  const added = await Promise.all(
    portions.map(([shard, group]) =>
      addChannels(redis, {
        ...{ held: keys.channelShards(app, shard), doubts: keys.channelDoubts(app, shard) },
        isBefore: isBefore ? '1' : '0',
        channels: group.map(([name, inShards]) => ({ name, shards: encodeShards([...inShards]) })),
      }),
    ),
  );
  return added.reduce((sum, one) => sum + one, 0);
}

/** No shards where a channel has no subscriber. */
export async function readEntries(
  { redis, keys }: IndexParts,
  app: string,
  channels: readonly string[],
): Promise<ReadonlyMap<string, ChannelShards>> {
  const found = await Promise.all(
    [...groupBy(channels, shardOf)].map(async ([shard, group]) => {
      const texts = await redis.hmget(keys.channelShards(app, shard), ...group);
      return group.map((channel, i) => [channel, decodeShards(texts[i] ?? '')] as const);
    }),
  );
  return new Map(found.flat());
}
