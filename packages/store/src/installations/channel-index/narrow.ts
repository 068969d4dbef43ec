import { channelCovers, compileCondition, type Audience, type JsonObject, type RouteBucket } from '@pushfleet/domain';
import { inTurns } from '../in-turns';
import { toInstallation } from '../read';
import type { IndexedInstallation } from '../stored';
import { readEntries, type ChannelShards, type IndexParts } from './entries';
import { readSubscribers } from './subscribers';

/** An audience that may be small: some channels that all of its devices are subscribed to at least one of. */
export interface NarrowAudience {
  /** Shards that have to be asked. */
  readonly shards: number;
  /** Its devices; undefined when the channels have more subscribers than are looked up one by one. */
  read(): Promise<readonly NarrowedDevice[] | undefined>;
}

export interface NarrowedDevice {
  readonly objectId: string;
  readonly registrationId: string;
  readonly bucket: RouteBucket;
}

/** Subscribers that are looked up one by one at most: beyond it a walk costs no more, and the plan would be large. */
export const MAX_LOOKED_UP = 2000;
/** Channels whose entries are read for one audience at most. */
const MAX_CHANNELS = 1000;

type Cover = ReadonlyMap<string, ChannelShards>;

/** Undefined when no channel narrows the audience. */
export async function narrowAudience(
  parts: IndexParts,
  app: string,
  audience: Audience,
): Promise<NarrowAudience | undefined> {
  const covers = channelCovers(audience);
  const channels = [...new Set(covers.flat())];
  if (covers.length === 0 || channels.length > MAX_CHANNELS) return undefined;
  const [entries, buckets] = await Promise.all([
    readEntries(parts, app, channels),
    parts.redis.smembers(parts.keys.buckets(app)),
  ]);
  const known = covers.map((names): Cover => new Map(names.map((name) => [name, entries.get(name) ?? []])));
  const [cover = new Map<string, ChannelShards>()] = known.sort((a, b) => shardsOf(a) - shardsOf(b));
  const condition = leftToTest(audience, cover);
  return {
    shards: shardsOf(cover),
    async read() {
      const options = { limit: MAX_LOOKED_UP, withDocuments: condition !== undefined };
      const found = await readSubscribers(parts, { app, buckets, channels: cover }, options);
      const matching = found && condition ? await matchingOf(found, condition) : found;
      return matching?.map(({ objectId, doc: { registrationId }, bucket }) => ({
        ...{ objectId, bucket },
        registrationId: typeof registrationId === 'string' ? registrationId : '',
      }));
    },
  };
}

const shardsOf = (cover: Cover): number => new Set([...cover.values()].flat()).size;

/** What the subscribers of the cover still have to meet. */
function leftToTest({ subscriptions, predicate }: Audience, cover: Cover): JsonObject | undefined {
  const isCovered = !subscriptions || subscriptions.every((name) => cover.has(name));
  const isWhole = subscriptions?.length === cover.size && isCovered;
  if (!subscriptions || isWhole) return predicate;
  const channels = { channels: { $in: [...subscriptions] } };
  return predicate ? { $and: [predicate, channels] } : channels;
}

async function matchingOf(
  found: readonly IndexedInstallation[],
  condition: JsonObject,
): Promise<readonly IndexedInstallation[]> {
  const matches = inTurns(compileCondition(condition));
  const matching: IndexedInstallation[] = [];
  for (const stored of found) if (await matches(toInstallation(stored))) matching.push(stored);
  return matching;
}
