import { chunksOf, groupBy } from '@pushfleet/domain';
import { Cluster } from 'ioredis';
import { lookUpField, type LookUpKind } from '../keys';
import { ALL_SHARDS, shardOf, SHARDS } from '../../kit/shards';
import type { Places } from '../read';

/** How those who saw a device know it. */
export type KnownBy = 'objectId' | Exclude<LookUpKind, 'deviceToken'>;

/**
 * Installations that somebody outside has confirmed: a device that logged in at a gateway, or a vendor that took a message for
 * it. They are gathered and written together, because nearly all of them are confirmed already; what a crash loses is said
 * again by the next login or push.
 */
export interface Confirmations {
  note(app: string, by: KnownBy, ids: readonly string[]): void;
  /** Writes what was noted. */
  flush(): Promise<void>;
}

/** Beyond it some are forgotten until they are said again. */
const MAX_NOTED = 200_000;
const AT_ONCE = 1000;

/**
 * The lists of an app as they were said, each as JSON: a name that was cut out of an address keeps all of it in memory, and
 * a campaign says hundreds of thousands in the second that they wait here.
 */
interface Noted {
  count: number;
  readonly lists: Map<KnownBy, string[]>;
}

export function openConfirmations(reader: Places): Confirmations {
  let noted = new Map<string, Noted>();
  let count = 0;
  return {
    note(app, by, ids) {
      if (count > MAX_NOTED) return;
      const ofApp = noted.get(app) ?? { count: 0, lists: new Map<KnownBy, string[]>() };
      const lists = ofApp.lists.get(by) ?? [];
      lists.push(JSON.stringify(ids));
      ofApp.lists.set(by, lists);
      ofApp.count += ids.length;
      noted.set(app, ofApp);
      count += ids.length;
    },
    async flush() {
      const apps = noted;
      noted = new Map();
      count = 0;
      await Promise.all(Array.from(apps, ([app, ofApp]) => confirm(reader, app, ofApp)));
    },
  };
}

async function confirm(reader: Places, app: string, { count, lists }: Noted): Promise<void> {
  const { redis, keys } = reader;
  if (await hasNone(reader, app)) return;
  const unconfirmed = count > SHARDS ? await unconfirmedOf(reader, app, count) : undefined;
  if (unconfirmed?.length === 0) return;
  const found = await Promise.all(
    Array.from(lists, ([by, texts]) =>
      objectIdsOf(reader, app, { by, ids: texts.flatMap((text) => JSON.parse(text) as readonly string[]) }),
    ),
  );
  const removals = inPortions(common(found.flat(), unconfirmed)).map(([shard, ids]) =>
    redis.zrem(keys.unconfirmed(app, shard), ...ids),
  );
  await Promise.all(removals);
}

/** Most apps have none most of the time. One server tells so in one answer; a cluster would have to be asked shard by shard. */
const hasNone = async (reader: Places, app: string): Promise<boolean> =>
  !(reader.redis instanceof Cluster) && (await reader.redis.exists(...unconfirmedKeys(reader, app))) === 0;

const unconfirmedKeys = ({ keys }: Places, app: string): string[] =>
  ALL_SHARDS.map((shard) => keys.unconfirmed(app, shard));

function common(objectIds: readonly string[], unconfirmed: readonly string[] | undefined): readonly string[] {
  if (!unconfirmed) return objectIds;
  const named = new Set(objectIds);
  return unconfirmed.filter((objectId) => named.has(objectId));
}

/** Of many installations few are unconfirmed: cheaper to read than to name the others. Undefined: they are more than `most`. */
async function unconfirmedOf(reader: Places, app: string, most: number): Promise<readonly string[] | undefined> {
  const { redis } = reader;
  const all = unconfirmedKeys(reader, app);
  const counts = await Promise.all(all.map((key) => redis.zcard(key)));
  if (counts.reduce((sum, count) => sum + count, 0) > most) return undefined;
  const some = all.filter((_, shard) => (counts[shard] ?? 0) > 0);
  return (await Promise.all(some.map((key) => redis.zrange(key, '0', '-1')))).flat();
}

async function objectIdsOf(
  { redis, keys }: Places,
  app: string,
  { by, ids }: { readonly by: KnownBy; readonly ids: readonly string[] },
): Promise<readonly string[]> {
  if (by === 'objectId') return ids;
  const portions = inPortions(ids.map((id) => lookUpField(by, id)));
  const found = await Promise.all(
    portions.map(([shard, fields]) => redis.hmget(keys.lookUps(app, by, shard), ...fields)),
  );
  return found.flat().filter((objectId) => objectId !== null);
}

/** By shard, as many as a command should have at most. */
function inPortions(ids: readonly string[]): readonly (readonly [shard: number, ids: readonly string[]])[] {
  return [...groupBy(ids, shardOf)].flatMap(([shard, all]) =>
    chunksOf(all, AT_ONCE).map((some) => [shard, some] as const),
  );
}
