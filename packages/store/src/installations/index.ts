import type { Audience, Installation, JsonObject, RouteBucket } from '@pushfleet/domain';
import type { LeaseStore } from '../kit/leases';
import { listReaderOf } from '../kit/lists/list-reader';
import type { MemoryGuard } from '../kit/memory-guard';
import { ALL_SHARDS } from '../kit/shards';
import type { InstallationKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import type { MessagingRoom } from '../messaging';
import type { Rounds } from '../kit/rounds';
import { openChannelIndex, type ChannelIndex } from './channel-index';
import { openColumnIndexes, type ColumnIndexes } from './column-index';
import { openColumnNames, type ColumnNames, type ColumnNotes } from './column-names';
import { openColumnKeeper } from './column-index/kept-columns';
import { bucketSizes, shorterWalks, type SizedAudience } from './channel-index/sizes';
import { openBucketMoves, type BucketMoves } from './bucket-moves';
import { ceilingOf, type Ceiling, type CeilingPorts } from './ceiling/ceilings';
import { evictUnconfirmed } from './ceiling/evict';
import { openEvictionCount, type EvictionCount, type Evictions } from './ceiling/eviction-count';
import type { MakeRoomPorts } from './ceiling/make-room';
import { openRoom } from './ceiling/room';
import { roomBeside } from './ceiling/room-beside';
import { readUsage, type Usage } from './ceiling/usage';
import {
  countInstallations,
  exportInstallations,
  portionsOf,
  type ExportRequest,
  type PortionsRequest,
} from './export';
import { answered, existingOf, findInstallations, readAddressed, type FindRequest, type Found } from './find';
import { openLookUps } from './identity/look-ups';
import type { ImportedInstallation, ImportTimes } from './import/candidate';
import { importInstallations } from './import/import';
import type { ImportOutcome } from './import/import-one';
import { inspectInstallation, type InspectedInstallation } from './inspect';
import { openUntilWritten } from './races';
import { openReadText, readInstallation, readInstallationIds, toInstallation } from './read';
import { removeInstallation, removeInstallationIf } from './remove';
import { openNoteRetired, readRetired, type RetiredPage, type RetiredRequest } from './retired';
import { retireRegistration, strikeRegistration, type DeadRegistration } from './retire';
import { saveInstallation, saveInstallationIf, type Saved, type SaveIfRequest, type SaveRequest } from './save';
import { scanInstallations, type Scanned, type ScanRequest } from './scan';
import { noteUnseen, readUnseen, type Unseen } from './unseen';
import { sweepShard, type SweepBounds, type Swept } from './sweep';
import { openBucketUses, openWriteVersion, type Writer } from './write';
import { AudienceWalk, readAddresses, type Walk } from './walk';

export interface AddressedDevice {
  readonly installation: Installation;
  readonly bucket: RouteBucket;
}

export interface RoomOfApp extends Usage, Evictions {
  readonly ceiling: Ceiling;
}

export interface InstallationStore {
  save(request: SaveRequest): Promise<Saved | undefined>;
  get(app: string, objectId: string): Promise<Installation | undefined>;
  /** By installationId or objectId, with what clients are not shown. */
  inspect(app: string, id: string): Promise<InspectedInstallation | undefined>;
  find(request: FindRequest): Promise<Found>;
  /** A parsed condition with its sub-queries answered as of now; the same object when it has none. */
  resolve(app: string, where: JsonObject): Promise<JsonObject>;
  remove(app: string, objectId: string): Promise<boolean>;
  /** The same if a condition holds for what is there. */
  saveIf(request: SaveIfRequest): Promise<Saved | 'unmatched' | undefined>;
  removeIf(app: string, objectId: string, where: JsonObject): Promise<boolean>;
  /** One page of those that a condition holds for. */
  scan(request: ScanRequest): Promise<Scanned>;
  /** Stores many installations of an export at once, each unless what is there is as new; tells of each, in order. */
  import(app: string, rows: readonly ImportedInstallation[], times?: ImportTimes): Promise<readonly ImportOutcome[]>;
  /** One page for an export. */
  export(request: ExportRequest): Promise<Scanned>;
  /** In the order of an export, until the caller has enough; see `inOrder` for what comes while others save. */
  portions(request: PortionsRequest): AsyncGenerator<readonly Installation[]>;
  count(app: string): Promise<number>;
  /** What an app's installations take, and what they may. */
  room(app: string): Promise<RoomOfApp>;
  /** For what is kept beside them and counts among their bytes. */
  readonly roomBeside: MessagingRoom;
  retire(app: string, dead: DeadRegistration): Promise<boolean>;
  /** The same once a vendor has said so on several days: in words that may pass. */
  strike(app: string, dead: DeadRegistration & { readonly now: number }): Promise<boolean>;
  /** Registrations that were retired since a time, the oldest first. */
  retired(request: RetiredRequest): Promise<RetiredPage>;
  /** The valid installations that an addressed push names. */
  addressed(app: string, address: NonNullable<Audience['addressed']>): Promise<readonly AddressedDevice[]>;
  /** Those of some installationIds that an installation has, a target or not. */
  existing(app: string, installationIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether all of the app was swept not long ago. */
  isSwept(app: string): Promise<boolean>;
  /** It counts as swept for that time. */
  noteSwept(app: string, ms: number): Promise<void>;
  /** Removes what was not updated for long from one shard, and takes out of the audience what was not for a while. */
  sweep(app: string, shard: number, before: SweepBounds): Promise<Swept>;
  /** Keeps what a whole sweep of an app found. */
  noteUnseen(app: string, found: Unseen): Promise<void>;
  /** Of all apps, by their last sweeps. */
  unseen(): Promise<Unseen>;
  bucketNames(app: string): Promise<readonly RouteBucket[]>;
  /** Buckets whose devices belong to others by now, and what puts them there. */
  readonly moves: BucketMoves;
  /** Where the subscribers of each channel are. */
  readonly channels: ChannelIndex;
  /** Where those are who have a value in a column, of the columns that are indexed. */
  readonly columns: ColumnIndexes;
  /** Which columns there are. */
  readonly columnNames: ColumnNames;
  /** Devices of each bucket that a walk for an audience has to look at; without one, of all that have any. */
  bucketSizes(app: string, audience?: SizedAudience): Promise<ReadonlyMap<RouteBucket, number>>;
  /** Those of some walks of subscribers that look at no more than a walk of all devices. */
  shorterWalks(app: string, walks: readonly Audience[]): Promise<readonly Audience[]>;
  /** Devices of a bucket, or its subscribers, in each shard. */
  sizes(app: string, bucket: RouteBucket, subscriptions?: readonly string[]): Promise<readonly number[]>;
  walk(walk: Walk): AudienceWalk;
  addresses(app: string, bucket: RouteBucket, objectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What the own channel knows installations by; those that do not exist any more are missing. */
  installationIds(app: string, objectIds: readonly string[]): Promise<ReadonlyMap<string, string | undefined>>;
}

interface InstallationParts {
  readonly redis: RedisClient;
  readonly keys: InstallationKeys;
  readonly rounds: Rounds;
  /** Channel by the wire value of `vendor`. */
  readonly vendors: ReadonlyMap<string, string>;
  readonly profileNames: Writer['profileNames'];
  readonly memory: MemoryGuard;
  readonly ceilings: CeilingPorts;
  readonly leases: LeaseStore;
  readonly now: () => number;
  readonly onEvicted: (app: string, count: number) => void;
  /** Called with what forgets what was remembered of an app. */
  readonly onSettings: (forget: () => void) => void;
}

type OpenedWriter = Writer & { readonly columnNames: ColumnNotes };

function openWriter(parts: InstallationParts, { add: onEvicted }: EvictionCount): OpenedWriter {
  const evict: MakeRoomPorts['evict'] = (app, eviction) => evictUnconfirmed(writer, app, eviction);
  const room = openRoom({ ...parts, ...parts.ceilings, evict, onEvicted });
  const gathered = {
    askLookUp: openLookUps(parts),
    readText: openReadText(parts),
    writeVersion: openWriteVersion(parts),
    noteRetired: openNoteRetired(parts),
  };
  const columns = openColumnKeeper(parts);
  const columnNames = openColumnNames(parts);
  parts.onSettings(columnNames.forget);
  parts.onSettings(columns.forget);
  const own = { bucketUses: openBucketUses(), untilWritten: openUntilWritten() };
  const writer: OpenedWriter = { ...parts, ...gathered, room, columns, columnNames, ...own };
  return writer;
}

type RoomParts = Pick<InstallationParts, 'ceilings'> & { readonly evicted: EvictionCount };

async function roomOf(writer: Writer, app: string, of: RoomParts) {
  const looks = [readUsage(writer, app), ceilingOf(of.ceilings, app), of.evicted.of(app)] as const;
  const [usage, ceiling, evictions] = await Promise.all(looks);
  return { ...usage, ceiling, ...evictions };
}

const roomsOf = (writer: Writer, of: RoomParts): Pick<InstallationStore, 'room' | 'roomBeside'> => ({
  room: (app) => roomOf(writer, app, of),
  roomBeside: roomBeside(writer.room),
});

const registrationsOf = (writer: Writer): Pick<InstallationStore, 'retire' | 'strike' | 'retired'> => ({
  retire: (app, dead) => retireRegistration(writer, app, dead),
  strike: (app, dead) => strikeRegistration(writer, app, dead),
  retired: (request) => readRetired(writer, request),
});

const scansOf = (writer: Writer): Pick<InstallationStore, 'scan' | 'export' | 'portions' | 'count'> => ({
  scan: (request) => scanInstallations(writer, request),
  export: (request) => exportInstallations(writer, request),
  portions: (request) => portionsOf(writer, request),
  count: (app) => countInstallations(writer, app),
});

export function openInstallations(parts: InstallationParts): InstallationStore {
  const { redis, keys, memory, ceilings } = parts;
  const evicted = openEvictionCount(parts);
  const lists = listReaderOf(redis);
  const writer = openWriter(parts, evicted);
  return {
    async save(request) {
      await memory.requireRoom('request');
      return saveInstallation(writer, request);
    },
    async get(app, objectId) {
      const stored = await readInstallation(writer, app, objectId);
      return stored && toInstallation(stored);
    },
    inspect: (app, id) => inspectInstallation(writer, app, id),
    find: (request) => findInstallations(writer, request),
    resolve: (app, where) => answered(writer, { app, where }),
    remove: (app, objectId) => removeInstallation(writer, app, objectId),
    async saveIf(request) {
      await memory.requireRoom('request');
      return saveInstallationIf(writer, request);
    },
    removeIf: (app, objectId, where) => removeInstallationIf(writer, app, { objectId, where }),
    async import(app, rows, times = {}) {
      await memory.requireRoom('bulk');
      return importInstallations(writer, app, { rows, times });
    },
    ...scansOf(writer),
    ...roomsOf(writer, { ceilings, evicted }),
    ...registrationsOf(writer),
    addressed: async (app, address) =>
      (await readAddressed(writer, app, address))
        .filter(({ bucket }) => bucket !== '')
        .map((stored) => ({ installation: toInstallation(stored), bucket: stored.bucket })),
    existing: (app, installationIds) => existingOf(writer, app, installationIds),
    isSwept: async (app) => (await redis.exists(keys.sweep(app))) === 1,
    noteSwept: async (app, ms) => void (await redis.set(keys.sweep(app), '1', 'PX', ms)),
    sweep: (app, shard, before) => sweepShard(writer, { app, shard }, before),
    noteUnseen: (app, found) => noteUnseen(writer, app, found),
    unseen: () => readUnseen(writer),
    moves: openBucketMoves(writer),
    channels: openChannelIndex(writer, parts.now),
    columns: openColumnIndexes(writer, parts.now),
    columnNames: writer.columnNames,
    bucketSizes: (app, audience = {}) => bucketSizes(writer, app, audience),
    shorterWalks: (app, walks) => shorterWalks(writer, app, walks),
    bucketNames: (app) => redis.smembers(keys.buckets(app)),
    sizes: (app, bucket, subscriptions) =>
      Promise.all(
        ALL_SHARDS.map(async (shard) => {
          if (!subscriptions) return redis.zcard(keys.bucket(app, shard, bucket));
          const sets = subscriptions.map((channel) => redis.zcard(keys.subscribers(app, shard, { bucket, channel })));
          return (await Promise.all(sets)).reduce((a, b) => a + b, 0);
        }),
      ),
    walk: (walk) => new AudienceWalk({ ...writer, lists }, walk),
    addresses: (app, bucket, objectIds) => readAddresses(writer, { app, bucket }, objectIds),
    installationIds: (app, objectIds) => readInstallationIds(writer, app, objectIds),
  };
}

export type { ChannelIndex } from './channel-index';
export type { ColumnIndex } from './column-index';
export { isFewShards, MAX_LOOKED_UP, type NarrowedDevice } from './channel-index/narrow';
export { AppFull } from './ceiling/app-full';
export type { Ceiling, DefaultCeiling } from './ceiling/ceilings';
export { openConfirmations, type Confirmations } from './ceiling/confirmations';
export type { FindRequest, Found } from './find';
export type { InspectedInstallation } from './inspect';
export type { RetiredPage, RetiredRegistration, RetiredRequest } from './retired';
export type { Saved, SaveIfRequest, SaveRequest } from './save';
export type { Scanned, ScanRequest } from './scan';
export type { SweepBounds, Swept } from './sweep';
export type { Unseen } from './unseen';
export type { AudienceWalk, Walk, WalkedDevice, WalkedPage } from './walk';
export type { ImportOutcome } from './import/import-one';
export { isObjectId, type ImportedInstallation, type ImportTimes } from './import/candidate';
export { newestOfEach } from './import/newest';
export { openTurn } from './in-turns';
export { bytesOf } from './ceiling/bytes-of';
export { INSTALLATION_KEYS, installationKeys, type InstallationKeys } from './keys';
export { openProfileBuckets } from './profile-buckets';
export { bucketOfText, decodeInstallation, indexedEntryOf } from './stored';
