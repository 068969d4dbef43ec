import { groupBy, LIMITS, withoutDeeper, type Installation, type JsonObject } from '@pushfleet/domain';
import { gathered } from '../kit/gathered';
import { each } from '../kit/lua/params';
import { luaScript } from '../kit/lua/script';
import { shardOf } from '../kit/shards';
import type { InstallationKeys, LookUpKind } from './keys';
import type { RedisClient } from '../kit/redis';
import type { Rounds } from '../kit/rounds';
import {
  addressOf,
  bucketOfText,
  decodeInstallation,
  entryOfDamaged,
  installationIdOfText,
  only,
  splitAddress,
  STRUCK,
  type IndexedInstallation,
  type IndexEntry,
  type StoredInstallation,
} from './stored';
import { togetherOn } from './together';

/** Where installations are. */
export interface Places {
  readonly redis: RedisClient;
  readonly keys: InstallationKeys;
}

export interface Reader extends Places {
  /** In which records are parsed: one may have 64 KiB, and many are read together. */
  readonly rounds: Rounds;
  /** Reads what is asked for in one round of the event loop together. */
  readonly readText: AskText;
}

/** A record as it was read, or that there was none: what a write must still find. */
export interface RecordVersion {
  readonly objectId: string;
  /** What the record hash holds; '' for nothing. */
  readonly text: string;
  readonly fence: string;
  /** Undefined where there is no record, and where it is damaged: whoever saves it makes it anew. */
  readonly stored: IndexedInstallation | undefined;
  /** Where the index holds a damaged one. */
  readonly damaged?: IndexEntry | undefined;
  /** The index does not hold it where its first line says: it may stand in any bucket. */
  readonly isMisplaced?: boolean;
}

/** Of a record that was never there, under an id that nobody knows yet. */
export const neverWritten = (objectId: string): RecordVersion => ({ objectId, text: '', fence: '', stored: undefined });

export interface ReadQuestion {
  readonly app: string;
  readonly objectId: string;
  /** What its device saves: a record that holds all of it gets a later updatedAt with the same look. */
  readonly refresh?: Refresh | undefined;
}

export interface Refresh {
  /** The updatedAt that it gets. */
  readonly stamp: string;
  readonly registrationId: string | undefined;
  /** It is not unconfirmed any more. */
  readonly isConfirmed: boolean;
  /** Names and values as texts of JSON, in turns. */
  readonly members: readonly string[];
}

export interface ReadText {
  readonly text: string;
  /** As the index has it; '' when it has none. */
  readonly address: string;
  readonly fence: string;
  readonly isRefreshed: boolean;
}

/** A longer one is compared here instead: Redis has only one processor for everybody. */
const LONGEST = 4096;

const readScript = luaScript('installations/read', {
  params: {
    asked: each({
      records: 'key',
      fences: 'key',
      unconfirmed: 'key',
      buckets: 'text',
      objectId: 'text',
      from: 'text',
      to: 'text',
      stamp: 'text',
      address: 'text',
      isConfirmed: 'text',
      members: 'texts',
    }),
  },
  constants: { LONGEST, STRUCK: JSON.stringify(STRUCK) },
  answer: (raw: readonly (readonly [string, string, string, number])[]): readonly ReadText[] =>
    raw.map(([text, address, fence, isRefreshed]) => ({ text, address, fence, isRefreshed: isRefreshed === 1 })),
});

const readTexts = ({ redis, keys }: Places, asked: readonly ReadQuestion[]): Promise<readonly ReadText[]> =>
  readScript(redis, { asked: asked.map((question) => encodeQuestion(keys, question)) });

function encodeQuestion(keys: InstallationKeys, { app, objectId, refresh }: ReadQuestion) {
  const shard = shardOf(objectId);
  const [from, to] = only(objectId);
  const record = {
    records: keys.records(app, shard),
    fences: keys.fences(app, shard),
    unconfirmed: keys.unconfirmed(app, shard),
    buckets: keys.bucket(app, shard, ''),
    objectId,
    from,
    to,
  };
  if (!refresh) return { stamp: '', address: '', isConfirmed: '0', members: [], ...record };
  const { stamp, registrationId, isConfirmed, members } = refresh;
  const address = registrationId === undefined ? '' : addressOf(objectId, registrationId);
  return { stamp, address, isConfirmed: isConfirmed ? '1' : '0', members, ...record };
}

export type AskText = (question: ReadQuestion) => Promise<ReadText>;

/** Records that are asked for together share a round trip. */
export function openReadText(places: Places): AskText {
  const together = togetherOn(places.redis);
  return gathered({
    slotOf: ({ app, objectId }: ReadQuestion) => together(app, shardOf(objectId)),
    run: (asked) => readTexts(places, asked),
  });
}

export async function versionOfText(
  { rounds }: Pick<Reader, 'rounds'>,
  objectId: string,
  { text, address, fence }: ReadText,
): Promise<RecordVersion> {
  if (text === '') return { objectId, text, fence, stored: undefined };
  const registrationId = address === '' ? '' : splitAddress(address).registrationId;
  const stored = await rounds.spend(() => decodeInstallation(objectId, text, registrationId));
  const isMisplaced = address === '' && !text.startsWith('\n');
  return { objectId, text, fence, stored, damaged: stored ? undefined : entryOfDamaged(text, address), isMisplaced };
}

export async function readVersion(reader: Reader, app: string, objectId: string): Promise<RecordVersion> {
  const [read] = await readTexts(reader, [{ app, objectId }]);
  return versionOfText(reader, objectId, read as ReadText);
}

/** The installations that exist of some, by objectId; what others ask for in the same round is read with them. */
export async function readMany(
  reader: Reader,
  app: string,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, IndexedInstallation>> {
  const read = [...new Set(objectIds)].map(async (objectId) =>
    versionOfText(reader, objectId, await reader.readText({ app, objectId })),
  );
  const versions = await Promise.all(read);
  return new Map(versions.flatMap(({ objectId, stored }) => (stored ? [[objectId, stored] as const] : [])));
}

export const readInstallation = async (
  reader: Reader,
  app: string,
  objectId: string,
): Promise<IndexedInstallation | undefined> => (await readVersion(reader, app, objectId)).stored;

interface RecordText {
  readonly objectId: string;
  readonly text: string;
}

/** The installation of a record that a scan found; undefined when it was removed meanwhile. */
export async function complete(
  reader: Reader,
  app: string,
  record: RecordText,
): Promise<IndexedInstallation | undefined> {
  const registrationId = await readRegistrationId(reader, app, record);
  if (registrationId === undefined) return readInstallation(reader, app, record.objectId);
  return reader.rounds.spend(() => decodeInstallation(record.objectId, record.text, registrationId));
}

/** Stands in the index alone; undefined when the index does not hold the device where its record says. */
async function readRegistrationId(
  { redis, keys }: Places,
  app: string,
  { objectId, text }: RecordText,
): Promise<string | undefined> {
  const bucket = bucketOfText(text);
  if (bucket === '') return '';
  const [min, max] = only(objectId);
  const [address] = await redis.zrangebylex(keys.bucket(app, shardOf(objectId), bucket), min, max, 'LIMIT', 0, 1);
  return address === undefined ? undefined : splitAddress(address).registrationId;
}

/** The installationId of each record that exists; undefined for one that has none. */
export async function readInstallationIds(
  { redis, keys, rounds }: Reader,
  app: string,
  objectIds: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const byShard = groupBy(objectIds, shardOf);
  const found = await Promise.all(
    [...byShard].map(async ([shard, ids]) => {
      const texts = await redis.hmget(keys.records(app, shard), ...ids);
      return ids.map((id, i) => [id, texts[i]] as const);
    }),
  );
  const ids = new Map<string, string | undefined>();
  for (const [objectId, text] of found.flat()) {
    if (typeof text !== 'string') continue;
    ids.set(objectId, await rounds.spend(() => installationIdOfText(objectId, text)));
  }
  return ids;
}

/** The objectId that a look-up names; a hint that the record must confirm. */
export async function lookUp(
  { redis, keys }: Places,
  app: string,
  [kind, value]: readonly [LookUpKind, string],
): Promise<string | undefined> {
  const { key, field } = keys.lookUp(app, kind, value);
  return (await redis.hget(key, field)) ?? undefined;
}

/** The same for several values, in their order; those of one shard are asked for together. */
export async function lookUpMany(
  { redis, keys }: Places,
  app: string,
  { kind, values }: { readonly kind: LookUpKind; readonly values: readonly string[] },
): Promise<readonly (string | undefined)[]> {
  const places = values.map((value, index) => ({ index, ...keys.lookUp(app, kind, value) }));
  const found = new Array<string | undefined>(values.length);
  await Promise.all(
    [...groupBy(places, ({ key }) => key)].map(async ([key, group]) => {
      const ids = await redis.hmget(key, ...group.map(({ field }) => field));
      group.forEach(({ index }, i) => (found[index] = ids[i] ?? undefined));
    }),
  );
  return found;
}

/** As it was saved; a device is a target until somebody says that it is none. */
export function asSaved({ objectId, doc, isDeep = false }: StoredInstallation): Installation {
  const saved = isDeep ? (withoutDeeper(doc, LIMITS.installationLevels.value) as JsonObject) : doc;
  return { objectId, valid: true, ...saved } as unknown as Installation;
}

/** As clients see it: whoever looks at the device sees what the next push will do. */
export function toInstallation(stored: StoredInstallation): Installation {
  const saved = asSaved(stored);
  return stored.isRetired ? { ...saved, valid: false } : saved;
}
