import { chunksOf, groupBy, type RouteBucket } from '@pushfleet/domain';
import { gathered } from '../../kit/gathered';
import { ALL_SHARDS, shardOf, SHARDS } from '../../kit/shards';
import type { InstallationKeys } from '../keys';
import type { RedisClient } from '../../kit/redis';
import { each } from '../../kit/lua/params';
import { luaScript } from '../../kit/lua/script';
import { togetherOn } from '../together';

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
        held: keys.channelShards(app, shard),
        doubts: keys.channelDoubts(app, shard),
        isBefore: isBefore ? '1' : '0',
        channels: group.map(([name, inShards]) => ({ name, shards: encodeShards([...inShards]) })),
      }),
    ),
  );
  return added.reduce((sum, one) => sum + one, 0);
}

/** What a look for the subscribers of some channels begins with. */
export interface ChannelPlaces {
  /** By channel; no shards where it has no subscriber. */
  readonly entries: ReadonlyMap<string, ChannelShards>;
  /** All of the app. */
  readonly buckets: readonly RouteBucket[];
}

export interface PlacesQuestion {
  readonly app: string;
  readonly channels: readonly string[];
}

export type AskPlaces = (question: PlacesQuestion) => Promise<ChannelPlaces>;

export interface IndexReader extends IndexParts {
  /** Reads what is asked of an app in one round of the event loop together. */
  readonly askPlaces: AskPlaces;
}

export function openAskPlaces(parts: IndexParts): AskPlaces {
  return gathered({
    slotOf: ({ app }: PlacesQuestion) => app,
    async run(asked) {
      const [{ app }] = asked as readonly [PlacesQuestion];
      const places = await readPlaces(parts, { app, channels: asked.flatMap(({ channels }) => channels) });
      return asked.map(({ channels }) => ({ ...places, entries: only(channels, places.entries) }));
    },
  });
}

const only = (channels: readonly string[], entries: ChannelPlaces['entries']): ChannelPlaces['entries'] =>
  new Map(channels.map((channel) => [channel, entries.get(channel) ?? []]));

async function readPlaces(parts: IndexParts, { app, channels }: PlacesQuestion): Promise<ChannelPlaces> {
  const [entries, buckets] = await Promise.all([
    readEntries(parts, app, [...new Set(channels)]),
    parts.redis.smembers(parts.keys.buckets(app)),
  ]);
  return { entries, buckets };
}

const entriesScript = luaScript('installations/channel-entries', {
  params: { asked: each({ held: 'key', channel: 'text' }) },
  answer: (raw: readonly string[]) => raw,
});

async function readEntries(
  { redis, keys }: IndexParts,
  app: string,
  channels: readonly string[],
): Promise<ChannelPlaces['entries']> {
  const together = togetherOn(redis);
  const portions = [...groupBy(channels, (channel) => together(app, shardOf(channel))).values()].flatMap((group) =>
    chunksOf(group, AT_ONCE),
  );
  const found = await Promise.all(
    portions.map(async (some) => {
      const asked = some.map((channel) => ({ held: keys.channelShards(app, shardOf(channel)), channel }));
      const texts = await entriesScript(redis, { asked });
      return some.map((channel, i) => [channel, decodeShards(texts[i] ?? '')] as const);
    }),
  );
  return new Map(found.flat());
}
