import { LIMITS, withoutDeeper, type Installation, type JsonObject } from '@pushfleet/domain';
import { shardOf, type Keys, type LookUpKind } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';
import type { Rounds } from '../rounds';
import {
  bucketOfText,
  decodeInstallation,
  only,
  splitAddress,
  type IndexedInstallation,
  type StoredInstallation,
} from './stored';

export interface Reader {
  readonly redis: RedisClient;
  readonly keys: Keys;
  /** In which records are parsed: one may have 64 KiB, and many are read together. */
  readonly rounds: Rounds;
}

export interface ReadInstallation {
  /** What the record hash holds: the value that a replacement must still find. */
  readonly text: string;
  readonly stored: IndexedInstallation;
}

/**
 * The text of a record, and its address from the bucket that the text begins with.
 * KEYS records; ARGV objectId, what the keys of the shard's buckets begin with, the two bounds of the address.
 */
const readScript = defineScript(`
local text = redis.call('HGET', KEYS[1], ARGV[1])
if not text then return {} end
local bucket = string.match(text, '^[^\\n]*')
if bucket == '' then return { text } end
return { text, redis.call('ZRANGEBYLEX', ARGV[2] .. bucket, ARGV[3], ARGV[4], 'LIMIT', 0, 1)[1] }`);

export async function readInstallation(
  { redis, keys, rounds }: Reader,
  app: string,
  objectId: string,
): Promise<ReadInstallation | undefined> {
  const shard = shardOf(objectId);
  const [min, max] = only(objectId);
  const found = await runScript(redis, readScript, {
    keys: [keys.records(app, shard)],
    args: [objectId, keys.bucket(app, shard, ''), min, max],
  });
  const [text, address] = found as readonly string[];
  if (text === undefined) return undefined;
  const registrationId = address === undefined ? '' : splitAddress(address).registrationId;
  return { text, stored: await rounds.spend(() => decodeInstallation(objectId, text, registrationId)) };
}

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
  if (registrationId === undefined) return (await readInstallation(reader, app, record.objectId))?.stored;
  return reader.rounds.spend(() => decodeInstallation(record.objectId, record.text, registrationId));
}

/** Stands in the index alone; undefined when the index does not hold the device where its record says. */
async function readRegistrationId(
  { redis, keys }: Pick<Reader, 'redis' | 'keys'>,
  app: string,
  { objectId, text }: RecordText,
): Promise<string | undefined> {
  const bucket = bucketOfText(text);
  if (bucket === '') return '';
  const [min, max] = only(objectId);
  const [address] = await redis.zrangebylex(keys.bucket(app, shardOf(objectId), bucket), min, max, 'LIMIT', 0, 1);
  return address === undefined ? undefined : splitAddress(address).registrationId;
}

/** The objectId that a look-up names; a hint that the record must confirm. */
export async function lookUp(
  { redis, keys }: Pick<Reader, 'redis' | 'keys'>,
  app: string,
  [kind, value]: readonly [LookUpKind, string],
): Promise<string | undefined> {
  const { key, field } = keys.lookUp(app, kind, value);
  return (await redis.hget(key, field)) ?? undefined;
}

/** As clients see it; a device is a target until somebody says that it is none. */
export function toInstallation({ objectId, doc, isRetired, isDeep = false }: StoredInstallation): Installation {
  const shown = isDeep ? (withoutDeeper(doc, LIMITS.installationLevels.value) as JsonObject) : doc;
  const said = { objectId, valid: true, ...shown };
  // Whoever looks at the device sees what the next push will do.
  return (isRetired ? { ...said, valid: false } : said) as unknown as Installation;
}
