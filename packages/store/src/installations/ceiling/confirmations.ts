import { groupBy } from '@pushfleet/domain';
import { lookUpField, shardOf, SHARDS, type LookUpKind } from '../../keys';
import type { Reader } from '../read';

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

type Noted = Map<KnownBy, string[]>;

export function openConfirmations(reader: Reader): Confirmations {
  let noted = new Map<string, Noted>();
  let count = 0;
  return {
    note(app, by, ids) {
      if (count > MAX_NOTED) return;
      const ofApp = noted.get(app) ?? new Map<KnownBy, string[]>();
      const known = ofApp.get(by) ?? [];
      for (const id of ids) known.push(id);
      noted.set(app, ofApp.set(by, known));
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

async function confirm(reader: Reader, app: string, noted: Noted): Promise<void> {
  const { redis, keys } = reader;
  const found = await Promise.all(Array.from(noted, ([by, ids]) => objectIdsOf(reader, app, { by, ids })));
  const objectIds = found.flat();
  const open = objectIds.length > SHARDS ? await unconfirmedAmong(reader, app, objectIds) : objectIds;
  const removals = inPortions(open).map(([shard, ids]) => redis.zrem(keys.unconfirmed(app, shard), ...ids));
  await Promise.all(removals);
}

/** Of many installations few are unconfirmed: these are read, and the others are not named to Redis. */
async function unconfirmedAmong(
  { redis, keys }: Reader,
  app: string,
  objectIds: readonly string[],
): Promise<readonly string[]> {
  const all = Array.from({ length: SHARDS }, (_, shard) => keys.unconfirmed(app, shard));
  const counts = await Promise.all(all.map((key) => redis.zcard(key)));
  const count = counts.reduce((sum, ofShard) => sum + ofShard, 0);
  if (count > objectIds.length) return objectIds;
  if (count === 0) return [];
  const named = new Set(objectIds);
  const some = all.filter((_, shard) => (counts[shard] ?? 0) > 0);
  const unconfirmed = await Promise.all(some.map((key) => redis.zrange(key, '0', '-1')));
  return unconfirmed.flat().filter((objectId) => named.has(objectId));
}

async function objectIdsOf(
  { redis, keys }: Reader,
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
    Array.from(
      { length: Math.ceil(all.length / AT_ONCE) },
      (_, n) => [shard, all.slice(n * AT_ONCE, (n + 1) * AT_ONCE)] as const,
    ),
  );
}
