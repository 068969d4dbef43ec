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
  /** The same audience as walks of some channels' subscribers each, the rest of it left to test. */
  readonly walks: readonly Audience[];
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
/** Lists of channels that are tried: those in the fewest shards. */
const MAX_COVERS = 4;
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
  const known = covers
    .map((names): Cover => new Map(names.map((name) => [name, entries.get(name) ?? []])))
    .sort((a, b) => shardsOf(a) - shardsOf(b))
    .slice(0, MAX_COVERS)
    .map((cover) => ({ cover, condition: leftToTest(audience, cover) }));
  return {
    shards: Math.min(...known.map(({ cover }) => shardsOf(cover))),
    walks: known.map(({ cover, condition }) => ({
      subscriptions: [...cover.keys()],
      ...(condition ? { predicate: condition } : {}),
    })),
    async read() {
      for (const { cover, condition } of known) {
        const options = { limit: MAX_LOOKED_UP, withDocuments: condition !== undefined };
        const found = await readSubscribers(parts, { app, buckets, channels: cover }, options);
        if (found) return (condition ? await matchingOf(found, condition) : found).map(narrowed);
      }
      return undefined;
    },
  };
}

const narrowed = ({ objectId, doc: { registrationId }, bucket }: IndexedInstallation): NarrowedDevice => ({
  ...{ objectId, bucket },
  registrationId: typeof registrationId === 'string' ? registrationId : '',
});

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
