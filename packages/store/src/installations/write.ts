import type { RouteBucket } from '@pushfleet/domain';
import { shardOf, type Keys } from '../keys';
import { defineScript, runScript } from '../redis';
import { bytesOf } from './ceiling/bytes-of';
import type { Room } from './ceiling/room';
import { writeIndexed } from './channel-index/write-indexed';
import { placeOf } from './placement';
import type { Reader } from './read';
import {
  encodeInstallation,
  indexedEntryOf,
  type IndexedInstallation,
  type IndexEntry,
  type StoredInstallation,
} from './stored';

/** How often what others changed meanwhile is looked at again. */
export const MAX_RACES = 20;

/**
 * Replaces a record if it still is what was read, moving its index entries in the same step.
 * KEYS record, then keys to leave, then keys to join, then bytes, unconfirmed; ARGV objectId, old text, new text ('' deletes),
 * number of keys to leave, then one member for each of these keys, then growth in bytes, standing.
 */
const replaceScript = defineScript(`
local old = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if old ~= ARGV[2] then return 0 end
local bytes, unconfirmed, growth, standing = KEYS[#KEYS - 1], KEYS[#KEYS], ARGV[#ARGV - 1], ARGV[#ARGV]
if standing == 'evicted' and not redis.call('ZSCORE', unconfirmed, ARGV[1]) then return 0 end
local leave = tonumber(ARGV[4])
for i = 2, #KEYS - 2 do
  local member = ARGV[i + 3]
  if i <= leave + 1 then redis.call('ZREM', KEYS[i], member) else redis.call('ZADD', KEYS[i], 0, member) end
end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
if ARGV[3] == '' or standing == 'confirmed' then redis.call('ZREM', unconfirmed, ARGV[1])
elseif standing ~= '' then redis.call('ZADD', unconfirmed, standing, ARGV[1]) end
if growth ~= '0' and redis.call('INCRBY', bytes, growth) <= 0 then redis.call('DEL', bytes) end
return 1`);

export interface Writer extends Reader {
  readonly vendors: ReadonlyMap<string, string>;
  /** `<channel>/<profile>` of every profile of an app, a moment old. */
  readonly profileNames: (app: string) => Promise<ReadonlySet<string>>;
  /** What apps may still store. */
  readonly room: Pick<Room, 'take' | 'note' | 'requireModest'>;
  /** How often each bucket name was needed since it was written, so that it is not written with every save. */
  readonly bucketUses: Map<string, BucketUse>;
}

type Place = readonly [key: string, member: string];

export interface Replacement {
  readonly app: string;
  readonly objectId: string;
  readonly oldText: string;
  readonly old: IndexedInstallation | undefined;
  /** Undefined removes the installation. */
  readonly next: StoredInstallation | undefined;
  /** Absent: whether it is confirmed stays as it is. */
  readonly standing?: Standing | undefined;
}

/** `evicted` removes it if it is still unconfirmed; a number is the mark of one that is new and unconfirmed. */
export type Standing = 'confirmed' | 'evicted' | number;

/** False when somebody else changed the record in between. */
export async function replaceInstallation(
  writer: Writer,
  { app, objectId, oldText, old, next, standing }: Replacement,
): Promise<boolean> {
  const shard = shardOf(objectId);
  const places = (entry: IndexEntry | undefined): readonly Place[] =>
    entry ? placesOf(writer.keys, { app, shard, objectId, entry }) : [];
  const newEntry = next && (await placeOf(writer, app, next));
  const oldEntry = old && indexedEntryOf(old);
  const text = next ? encodeInstallation(next, newEntry) : '';
  const growth = bytesOf(text, newEntry) - bytesOf(oldText, oldEntry);
  const before = new Map(places(oldEntry));
  const now = new Map(places(newEntry));
  const leave = without(before, now);
  const join = without(now, before);
  if (newEntry) await nameBucket(writer, app, newEntry.bucket);
  const write = (): Promise<unknown> =>
    runScript(writer.redis, replaceScript, {
      keys: [
        writer.keys.records(app, shard),
        ...[...leave, ...join].map(([key]) => key),
        ...[writer.keys.installationBytes(app, shard), writer.keys.unconfirmed(app, shard)],
      ],
      args: [
        ...[objectId, oldText, text, leave.length],
        ...[...leave, ...join].map(([, member]) => member),
        ...[growth, standing ?? ''],
      ],
    });
  const entries = newSubscriptions({ shard, before: oldEntry, now: newEntry });
  const isWritten = (await writeIndexed(writer, app, { entries, write })) === 1;
  if (isWritten && old) writer.room.note(app, growth);
  return isWritten;
}

/** The channels that a version joins; what its record holds already stands in the index. */
function newSubscriptions({ shard, before, now }: Change): ReadonlyMap<string, ReadonlySet<number>> {
  const known = new Set(before?.channels);
  const shards = new Set([shard]);
  return new Map(now?.channels.filter((channel) => !known.has(channel)).map((channel) => [channel, shards]));
}

interface Change {
  readonly shard: number;
  readonly before: IndexEntry | undefined;
  readonly now: IndexEntry | undefined;
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

const without = (places: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): readonly Place[] =>
  [...places].filter(([key, member]) => others.get(key) !== member);

interface BucketUse {
  readonly count: number;
  readonly writtenAt: number;
}

/** A failover may lose a name that was written once; without its name no push finds the bucket. */
const USES_PER_WRITE = 100;
/** An app may have been deleted, and made anew under the same id: that takes longer. */
const WRITTEN_FOR_MS = 3000;

export async function nameBucket({ redis, keys, bucketUses }: Writer, app: string, bucket: RouteBucket): Promise<void> {
  const name = `${app} ${bucket}`;
  const known = bucketUses.get(name);
  const isKnown = known && known.count < USES_PER_WRITE && performance.now() - known.writtenAt < WRITTEN_FOR_MS;
  if (!isKnown) await redis.sadd(keys.buckets(app), bucket);
  if (bucketUses.size > 100_000) bucketUses.clear();
  bucketUses.set(name, isKnown ? { ...known, count: known.count + 1 } : { count: 1, writtenAt: performance.now() });
}
