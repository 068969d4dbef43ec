import { BoundedMap, type JsonObject, type RouteBucket } from '@pushfleet/domain';
import { gathered } from '../kit/gathered';
import { each } from '../kit/lua/params';
import { isDone, luaScript } from '../kit/lua/script';
import { shardOf } from '../kit/shards';
import type { InstallationKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { bytesOf, INDEXED_VALUE_BYTES } from './ceiling/bytes-of';
import type { Room } from './ceiling/room';
import { writeIndexed } from './channel-index/write-indexed';
import type { ColumnKeeper } from './column-index/kept-columns';
import type { ColumnNotes } from './column-names';
import { newColumnsOf } from './column-names/own-columns-of';
import { misplacedEntries, type Place } from './misplaced-entries';
import { columnTermsOf, memberOf, readColumnTerm } from './column-index/terms';
import { idsWithout } from './identity/ids';
import { newReleaseToken, type AskLookUp } from './identity/look-ups';
import { placeOf, type PlacementParts } from './placement';
import type { Reader, RecordVersion } from './read';
import type { UntilWritten } from './races';
import type { NoteRetired } from './retired';
import { encodeInstallation, indexedEntryOf, type IndexEntry, type StoredInstallation } from './stored';

/** What was claimed longer ago is not written: it is claimed again. */
export const CLAIM_SECONDS = 30;
/** Longer than any claim from before the fence may be written, with a minute and a half for clocks that differ. */
const FENCE_MS = 120_000;

export interface Writer extends Reader, PlacementParts {
  /** What apps may still store. */
  readonly room: Pick<Room, 'take' | 'note'>;
  /** The columns whose index is kept. */
  readonly columns: ColumnKeeper;
  /** The columns that installations have. */
  readonly columnNames: Pick<ColumnNotes, 'note'>;
  /** How often each bucket name was needed since it was written, so that it is not written with every save. */
  readonly bucketUses: Map<string, BucketUse>;
  readonly untilWritten: UntilWritten;
  readonly askLookUp: AskLookUp;
  readonly writeVersion: WriteVersion;
  readonly noteRetired: NoteRetired;
}

export interface Replacement {
  readonly app: string;
  /** That must still be there. */
  readonly version: RecordVersion;
  /** Undefined removes the installation. */
  readonly next: StoredInstallation | undefined;
  /** Nobody takes its place: its mailbox goes with it. */
  readonly isForGood?: boolean | undefined;
  /** When ids were claimed that are new to the record, in seconds of Redis. */
  readonly claimedAt?: number | undefined;
  /** Absent: whether it is confirmed stays as it is. */
  readonly standing?: Standing | undefined;
  /** Bytes by which what exists grows, and for which there is room already. */
  readonly taken?: number | undefined;
}

/** `evicted` removes it if it is still unconfirmed; a number is the mark of one that is new and unconfirmed. */
export type Standing = 'confirmed' | 'evicted' | number;

const places = each({ place: 'key', member: 'text' });

const writeScript = luaScript('installations/write', {
  params: {
    records: 'key',
    fences: 'key',
    bytes: 'key',
    unconfirmed: 'key',
    stamp: 'key',
    versions: each({
      objectId: 'text',
      fence: 'text',
      from: 'text',
      to: 'text',
      claimedAt: 'text',
      growth: 'text',
      standing: 'text',
      generation: 'number',
      leave: places,
      join: places,
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
  /** Of the columns that its writer knows. */
  readonly generation: number;
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
        records: keys.records(app, shard),
        fences: keys.fences(app, shard),
        bytes: keys.installationBytes(app, shard),
        unconfirmed: keys.unconfirmed(app, shard),
        stamp: keys.columnStamp(app, shard),
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
  const { app, version, next, isForGood = false } = replacement;
  const { objectId, stored: old } = version;
  const leaving = await Promise.all(
    idsWithout(old?.doc, next?.doc).map(async (id) => {
      const { token } = await writer.askLookUp({ app, step: 'leave', id, objectId, token: newReleaseToken() });
      return { app, id, objectId, token };
    }),
  );
  if (!(await writeRecord(writer, replacement))) return false;
  await Promise.all(leaving.map((release) => writer.askLookUp({ ...release, step: 'give-up', isForGood })));
  return true;
}

async function writeRecord(writer: Writer, replacement: Replacement): Promise<boolean> {
  const { app, version, next, claimedAt, standing, taken = 0 } = replacement;
  const { objectId, fence, text: from, stored: old } = version;
  const shard = shardOf(objectId);
  const { generation, columns } = await writer.columns.of(app);
  const indexed = (entry: IndexEntry | undefined, doc: JsonObject = {}): Indexed =>
    entry ? indexedIn(writer.keys, { app, shard, objectId, entry, terms: columnTermsOf(doc, columns) }) : NOWHERE;
  const newEntry = next && (await placeOf(writer, app, next));
  const oldEntry = old ? indexedEntryOf(old) : version.damaged;
  const to = next ? encodeInstallation(next, newEntry) : '';
  const growth = bytesOf(to, newEntry) - bytesOf(from, oldEntry);
  const [before, now] = [indexed(oldEntry, old?.doc), indexed(newEntry, next?.doc)];
  const stale = await misplacedEntries(writer, app, version);
  const leave = without([...before.places, ...stale], now.places);
  const join = without(now.places, before.places);
  await noteNames(writer, app, { old, next, bucket: newEntry?.bucket });
  const write = (): Promise<boolean> =>
    writer.writeVersion({
      app,
      objectId,
      fence,
      from,
      to,
      growth,
      leave,
      join,
      claimedAt: claimedAt ?? '',
      standing: standing ?? '',
      generation,
    });
  const isWritten = await writeIndexed(writer, app, { entries: newTerms({ shard, before, now }), write });
  if (!isWritten) await writer.columns.refused(app, shard);
  else writer.room.note(app, (old ? growth - taken : 0) + INDEXED_VALUE_BYTES * (now.values - before.values));
  return isWritten;
}

interface Named {
  readonly old: StoredInstallation | undefined;
  readonly next: StoredInstallation | undefined;
  readonly bucket: RouteBucket | undefined;
}

/** What a version stands under must be found by its name before the version is there. */
async function noteNames(writer: Writer, app: string, { old, next, bucket }: Named): Promise<void> {
  if (bucket !== undefined) await nameBucket(writer, app, bucket);
  if (next) await writer.columnNames.note(app, newColumnsOf(next.doc, old?.doc));
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

/** What a version stands under that the one before did not; what its record holds already stands in the index. */
function newTerms({ shard, before, now }: Change): ReadonlyMap<string, ReadonlySet<number>> {
  const known = new Set(before.terms);
  const shards = new Set([shard]);
  return new Map(now.terms.filter((term) => !known.has(term)).map((term) => [term, shards]));
}

interface Change {
  readonly shard: number;
  readonly before: Indexed;
  readonly now: Indexed;
}

/** Where the indexes hold a version. */
interface Indexed {
  readonly places: readonly Place[];
  /** Its channels and the values of its columns. */
  readonly terms: readonly string[];
  /** Of its columns alone. */
  readonly values: number;
}

const NOWHERE: Indexed = { places: [], terms: [], values: 0 };

interface Located {
  readonly app: string;
  readonly shard: number;
  readonly objectId: string;
  readonly entry: IndexEntry;
  /** Of its columns. */
  readonly terms: readonly string[];
}

function indexedIn(keys: InstallationKeys, { app, shard, objectId, entry, terms }: Located): Indexed {
  const { bucket, channels } = entry;
  const values = terms.map(readColumnTerm);
  const places = [
    { place: keys.bucket(app, shard, bucket), member: entry.address },
    ...channels.map((channel) => ({ place: keys.subscribers(app, shard, { bucket, channel }), member: objectId })),
    ...values.map((term) => ({ place: keys.column(app, shard, term.column), member: memberOf(term, objectId) })),
  ];
  return { places, terms: terms.length === 0 ? channels : [...channels, ...terms], values: terms.length };
}

function without(places: readonly Place[], others: readonly Place[]): readonly Place[] {
  const known = new Set(others.map(({ place, member }) => `${place} ${member}`));
  return places.filter(({ place, member }) => !known.has(`${place} ${member}`));
}

interface BucketUse {
  readonly count: number;
  readonly writtenAt: number;
}

/** A failover may lose a name that was written once; without its name no push finds the bucket. */
const USES_PER_WRITE = 100;
/** An app may have been deleted, and made anew under the same id: that takes longer. */
const WRITTEN_FOR_MS = 3000;

export const openBucketUses = (): Writer['bucketUses'] => new BoundedMap(100_000);

export async function nameBucket({ redis, keys, bucketUses }: Writer, app: string, bucket: RouteBucket): Promise<void> {
  const name = `${app} ${bucket}`;
  const known = bucketUses.get(name);
  const isKnown = known && known.count < USES_PER_WRITE && performance.now() - known.writtenAt < WRITTEN_FOR_MS;
  if (!isKnown) await redis.sadd(keys.buckets(app), bucket);
  bucketUses.set(name, isKnown ? { ...known, count: known.count + 1 } : { count: 1, writtenAt: performance.now() });
}
