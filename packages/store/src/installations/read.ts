import type { Installation } from '@pushfleet/domain';
import { shardOf, type Keys, type LookUpKind } from '../keys';
import type { RedisClient } from '../redis';
import { bucketOfText, decodeInstallation, only, splitAddress, type IndexedInstallation } from './stored';

export interface Reader {
  readonly redis: RedisClient;
  readonly keys: Keys;
}

export interface ReadInstallation {
  /** What the record hash holds: the value that a replacement must still find. */
  readonly text: string;
  readonly stored: IndexedInstallation;
}

/** A device that changes its bucket between the reads of record and address is read again, this often. */
const MAX_READS = 5;

export async function readInstallation(
  reader: Reader,
  app: string,
  objectId: string,
): Promise<ReadInstallation | undefined> {
  for (let reads = 1; ; reads += 1) {
    const text = await reader.redis.hget(reader.keys.records(app, shardOf(objectId)), objectId);
    if (text === null) return undefined;
    const registrationId = await readRegistrationId(reader, app, { objectId, text });
    if (registrationId === undefined && reads < MAX_READS) continue;
    return { text, stored: decodeInstallation(objectId, text, registrationId ?? '') };
  }
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
  return decodeInstallation(record.objectId, record.text, registrationId);
}

/** Stands in the index alone; undefined when the index does not hold the device where its record says. */
async function readRegistrationId(
  { redis, keys }: Reader,
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
  { redis, keys }: Reader,
  app: string,
  [kind, value]: readonly [LookUpKind, string],
): Promise<string | undefined> {
  const { key, field } = keys.lookUp(app, kind, value);
  return (await redis.hget(key, field)) ?? undefined;
}

export const toInstallation = ({ objectId, doc }: Pick<IndexedInstallation, 'objectId' | 'doc'>): Installation =>
  ({ objectId, ...doc }) as unknown as Installation;
