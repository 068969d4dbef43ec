import type { RouteBucket } from '@pushfleet/domain';
import { gathered } from '../kit/gathered';
import { each } from '../kit/lua/params';
import { isDone, luaScript } from '../kit/lua/script';
import { shardOf } from '../kit/shards';
import type { InstallationKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { bytesOf } from './ceiling/bytes-of';
import type { Room } from './ceiling/room';
import { writeIndexed } from './channel-index/write-indexed';
import { idsWithout } from './identity/ids';
import type { AskLookUp } from './identity/look-ups';
import { placeOf } from './placement';
import type { AskText, Reader, RecordVersion } from './read';
import { encodeInstallation, indexedEntryOf, type IndexEntry, type StoredInstallation } from './stored';

/** How often what others changed meanwhile is looked at again. */
export const MAX_RACES = 20;

/** What was claimed longer ago is not written: it is claimed again. */
export const CLAIM_SECONDS = 30;
/** Longer than any claim from before the fence may be written, with a minute and a half for clocks that differ. */
const FENCE_MS = 120_000;

export interface Writer extends Reader {
  readonly vendors: ReadonlyMap<string, string>;
  /** `<channel>/<profile>` of every profile of an app, a moment old. */
  readonly profileNames: (app: string) => Promise<ReadonlySet<string>>;
  /** What apps may still store. */
  readonly room: Pick<Room, 'take' | 'note' | 'requireModest'>;
  /** How often each bucket name was needed since it was written, so that it is not written with every save. */
  readonly bucketUses: Map<string, BucketUse>;
  readonly askLookUp: AskLookUp;
  readonly readText: AskText;
  readonly writeVersion: WriteVersion;
}

interface Place {
  readonly place: string;
  readonly member: string;
}

export interface Replacement {
  readonly app: string;
  /** That must still be there. */
  readonly version: RecordVersion;
  /** Undefined removes the installation. */
  readonly next: StoredInstallation | undefined;
  /** When ids were claimed that are new to the record, in seconds of Redis. */
  readonly claimedAt?: number | undefined;
  /** Absent: whether it is confirmed stays as it is. */
  readonly standing?: Standing | undefined;
}

/** `evicted` removes it if it is still unconfirmed; a number is the mark of one that is new and unconfirmed. */
export type Standing = 'confirmed' | 'evicted' | number;

const places = each({ place: 'key', member: 'text' });

const writeScript = luaScript('installations/write', {
  params: {
    ...{ records: 'key', fences: 'key', bytes: 'key', unconfirmed: 'key' },
    versions: each({
      ...{ objectId: 'text', fence: 'text', from: 'text', to: 'text' },
      ...{ claimedAt: 'text', growth: 'text', standing: 'text' },
      ...{ leave: places, join: places },
    }),
  },
  constants: { CLAIM_SECONDS, FENCE_MS },
  answer: (raw: readonly number[]): readonly boolean[] => raw.map((one) => one === 1),
});

interface WrittenVersion {
  readonly app: string;
  readonly objectId: string;
  readonly fence: string;
  readonly from: string;
  readonly to: string;
  readonly claimedAt: string | number;
  readonly growth: number;
  readonly standing: string | number;
  readonly leave: readonly Place[];
  readonly join: readonly Place[];
}

export type WriteVersion = (version: WrittenVersion) => Promise<boolean>;

/** Versions of one shard that are written together share a round trip. */
export function openWriteVersion({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: InstallationKeys;
}): WriteVersion {
  return gathered({
    slotOf: ({ app, objectId }) => `${app} ${shardOf(objectId)}`,
    async run(versions: readonly WrittenVersion[]) {
      const [{ app, objectId }] = versions as readonly [WrittenVersion, ...WrittenVersion[]];
      const shard = shardOf(objectId);
      return writeScript(redis, {
        ...{ records: keys.records(app, shard), fences: keys.fences(app, shard) },
        ...{ bytes: keys.installationBytes(app, shard), unconfirmed: keys.unconfirmed(app, shard) },
        versions,
      });
    },
  });
}

/**
 * Replaces a record if it still is what was read, moving its index entries in the same step. The ids that it loses are about to
 * be given up before that, and given up behind it. False when somebody else changed the record in between.
 */
export async function replaceInstallation(writer: Writer, replacement: Replacement): Promise<boolean> {
  const { app, version, next } = replacement;
  const { objectId, stored: old } = version;
  const leaving = await Promise.all(
    idsWithout(old?.doc, next?.doc).map(async (id) => {
      const { token } = await writer.askLookUp({ app, step: 'leave', id, objectId });
      return { app, id, objectId, token };
    }),
  );
  if (!(await writeRecord(writer, replacement))) return false;
  await Promise.all(leaving.map((release) => writer.askLookUp({ ...release, step: 'give-up' })));
  return true;
}

async function writeRecord(writer: Writer, { app, version, next, claimedAt, standing }: Replacement): Promise<boolean> {
  const { objectId, fence, text: from, stored: old } = version;
  const shard = shardOf(objectId);
  const places = (entry: IndexEntry | undefined): readonly Place[] =>
    entry ? placesOf(writer.keys, { app, shard, objectId, entry }) : [];
  const newEntry = next && (await placeOf(writer, app, next));
  const oldEntry = old && indexedEntryOf(old);
  const to = next ? encodeInstallation(next, newEntry) : '';
  const growth = bytesOf(to, newEntry) - bytesOf(from, oldEntry);
  const [before, now] = [places(oldEntry), places(newEntry)];
  const [leave, join] = [without(before, now), without(now, before)];
  if (newEntry) await nameBucket(writer, app, newEntry.bucket);
  const write = (): Promise<boolean> =>
    writer.writeVersion({
      ...{ app, objectId, fence, from, to, growth, leave, join },
      ...{ claimedAt: claimedAt ?? '', standing: standing ?? '' },
    });
  const subscriptions = newSubscriptions({ shard, before: oldEntry, now: newEntry });
  const isWritten = await writeIndexed(writer, app, { entries: subscriptions, write });
  if (isWritten && old) writer.room.note(app, growth);
  return isWritten;
}

const fenceScript = luaScript('installations/fence', {
  params: { records: 'key', fences: 'key', objectId: 'text', text: 'text', before: 'text' },
  constants: { FENCE_MS },
  answer: isDone,
});

/** Nobody writes any more what they read of the record before. False when it changed already. */
export function fenceRecord({ redis, keys }: Writer, app: string, version: RecordVersion): Promise<boolean> {
  const { objectId, text, fence: before } = version;
  const shard = shardOf(objectId);
  const places = { records: keys.records(app, shard), fences: keys.fences(app, shard) };
  return fenceScript(redis, { ...places, objectId, text, before });
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

function placesOf(keys: InstallationKeys, { app, shard, objectId, entry }: Located): readonly Place[] {
  const { bucket } = entry;
  return [
    { place: keys.bucket(app, shard, bucket), member: entry.address },
    ...entry.channels.map((channel) => ({
      place: keys.subscribers(app, shard, { bucket, channel }),
      member: objectId,
    })),
  ];
}

function without(places: readonly Place[], others: readonly Place[]): readonly Place[] {
  const members = new Map(others.map(({ place, member }) => [place, member]));
  return places.filter(({ place, member }) => members.get(place) !== member);
}

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
