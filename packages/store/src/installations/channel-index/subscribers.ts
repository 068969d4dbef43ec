import type { RouteBucket } from '@pushfleet/domain';
import { luaScript } from '../../kit/lua/script';
import { readHolders } from '../column-index/holders';
import { isColumnTerm } from '../column-index/terms';
import { decodeInstallation, splitAddress, type IndexedInstallation } from '../stored';
import type { ChannelShards, IndexParts } from './entries';

const subscribersOfShard = luaScript('installations/subscribers', {
  params: {
    records: 'key',
    bucketsBegin: 'text',
    subscriptionsBegin: 'text',
    limit: 'number',
    withTexts: 'text',
    buckets: 'texts',
    channels: 'texts',
  },
  answer: (raw: readonly [number, ...(number | string)[]]) => raw,
});

/** Those who have any of some terms: the subscribers of channels, and the installations with values in columns. */
export interface Subscribers {
  readonly app: string;
  readonly buckets: readonly RouteBucket[];
  /** Where each of the terms may have some. */
  readonly terms: ReadonlyMap<string, ChannelShards>;
}

interface ReadOptions {
  /** Subscriptions and values that are read at most. */
  readonly limit: number;
  /** Read the documents too; without them an installation has its registrationId alone. */
  readonly withDocuments: boolean;
}

/** Shards asked at once; few at first, because those of a large audience show it. */
const PORTIONS = [8, 24, 96, 128];

/** Undefined when there are more than the limit. */
export async function readSubscribers(
  parts: IndexParts,
  { terms, ...subscribers }: Subscribers,
  { limit, withDocuments }: ReadOptions,
): Promise<readonly IndexedInstallation[] | undefined> {
  const shards = [...termsByShard(terms)];
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
          readShard(parts, subscribers, { shard, terms: names, limit: shardLimit, withDocuments }),
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

/** The terms that each shard may have some of. */
export function termsByShard(terms: Subscribers['terms']): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  for (const [term, shards] of terms) {
    for (const shard of shards) {
      const names = found.get(shard);
      if (names) names.push(term);
      else found.set(shard, [term]);
    }
  }
  return found;
}

interface ShardRead extends ReadOptions {
  readonly shard: number;
  readonly terms: readonly string[];
}

interface Found {
  readonly count: number;
  readonly installations: readonly IndexedInstallation[];
}

const NOBODY: Found = { count: 0, installations: [] };

async function readShard(
  parts: IndexParts,
  of: Omit<Subscribers, 'terms'>,
  { terms, ...shardRead }: ShardRead,
): Promise<Found> {
  const values = terms.filter(isColumnTerm);
  const channels = values.length === 0 ? terms : terms.filter((term) => !isColumnTerm(term));
  const { shard, limit } = shardRead;
  const [subscribers, holders] = await Promise.all([
    channels.length === 0 ? NOBODY : readChannels(parts, of, { channels, ...shardRead }),
    values.length === 0 ? NOBODY : readHolders(parts, { app: of.app, shard, terms: values }, limit),
  ]);
  if (values.length === 0) return subscribers;
  const byId = new Map([...subscribers.installations, ...holders.installations].map((one) => [one.objectId, one]));
  return { count: subscribers.count + holders.count, installations: [...byId.values()] };
}

async function readChannels(
  { redis, keys }: IndexParts,
  { app, buckets }: Omit<Subscribers, 'terms'>,
  { shard, channels, limit, withDocuments }: Omit<ShardRead, 'terms'> & { readonly channels: readonly string[] },
): Promise<Found> {
  const [count, ...flat] = await subscribersOfShard(redis, {
    records: keys.records(app, shard),
    bucketsBegin: keys.bucket(app, shard, ''),
    subscriptionsBegin: keys.subscriptions(app, shard),
    limit,
    withTexts: withDocuments ? '1' : '0',
    buckets,
    channels,
  });
  const installations: IndexedInstallation[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    const bucket = buckets[Number(flat[i]) - 1] ?? '';
    const { objectId, registrationId } = splitAddress(String(flat[i + 1]));
    const text = String(flat[i + 2]);
    const found = withDocuments
      ? decodeInstallation(objectId, text, registrationId)
      : { objectId, doc: { registrationId }, isRetired: false, bucket };
    if (found) installations.push(found);
  }
  return { count, installations };
}
