import type { RouteBucket } from '@pushfleet/domain';
import type { Keys } from '../keys';
import { shardOf } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';
import { encodeInstallation, indexEntryOf, type IndexEntry, type StoredInstallation } from './stored';

/**
 * Replaces a record if it still is what was read, moving its index entries in the same step.
 * KEYS record, then keys to leave, then keys to join; ARGV objectId, old text, new text ('' deletes), number of keys to
 * leave, then one member for each of these keys.
 */
const replaceScript = defineScript(`
local old = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if old ~= ARGV[2] then return 0 end
local leave = tonumber(ARGV[4])
for i = 2, #KEYS do
  local member = ARGV[i + 3]
  if i <= leave + 1 then redis.call('ZREM', KEYS[i], member) else redis.call('ZADD', KEYS[i], 0, member) end
end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
return 1`);

export interface Writer {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly vendors: ReadonlyMap<string, string>;
  /** Bucket names already written, so that a save names its bucket once per process. */
  readonly knownBuckets: Set<string>;
}

type Place = readonly [key: string, member: string];

export interface Replacement {
  readonly app: string;
  readonly objectId: string;
  readonly oldText: string;
  readonly old: StoredInstallation | undefined;
  /** Undefined removes the installation. */
  readonly next: StoredInstallation | undefined;
}

/** False when somebody else changed the record in between. */
export async function replaceInstallation(
  writer: Writer,
  { app, objectId, oldText, old, next }: Replacement,
): Promise<boolean> {
  const shard = shardOf(objectId);
  const places = (entry: IndexEntry | undefined): readonly Place[] =>
    entry ? placesOf(writer.keys, { app, shard, objectId, entry }) : [];
  const newEntry = next && indexEntryOf(next, writer.vendors);
  const before = places(old && indexEntryOf(old, writer.vendors));
  const now = places(newEntry);
  const leave = before.filter((place) => !holds(now, place));
  const join = now.filter((place) => !holds(before, place));
  if (newEntry) await nameBucket(writer, app, newEntry.bucket);
  const changed = await runScript(writer.redis, replaceScript, {
    keys: [writer.keys.records(app, shard), ...leave.map(([key]) => key), ...join.map(([key]) => key)],
    args: [
      objectId,
      oldText,
      next ? encodeInstallation(next, newEntry) : '',
      leave.length,
      ...[...leave, ...join].map(([, member]) => member),
    ],
  });
  return changed === 1;
}

interface Located {
  readonly app: string;
  readonly shard: number;
  readonly objectId: string;
  readonly entry: IndexEntry;
}

function placesOf(keys: Keys, { app, shard, objectId, entry }: Located): readonly Place[] {
  const { bucket } = entry;
  return [
    [keys.bucket(app, shard, bucket), entry.address],
    ...entry.channels.map((channel): Place => [keys.subscribers(app, shard, { bucket, channel }), objectId]),
  ];
}

const holds = (places: readonly Place[], [key, member]: Place): boolean =>
  places.some((place) => place[0] === key && place[1] === member);

async function nameBucket({ redis, keys, knownBuckets }: Writer, app: string, bucket: RouteBucket): Promise<void> {
  const name = `${app} ${bucket}`;
  if (knownBuckets.has(name)) return;
  await redis.sadd(keys.buckets(app), bucket);
  if (knownBuckets.size > 100_000) knownBuckets.clear();
  knownBuckets.add(name);
}
