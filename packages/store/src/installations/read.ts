import type { Installation } from '@pushfleet/domain';
import { shardOf, type Keys, type LookUpKind } from '../keys';
import type { RedisClient } from '../redis';
import { bucketOfText, decodeInstallation, only, splitAddress, type StoredInstallation } from './stored';

export interface Reader {
  readonly redis: RedisClient;
  readonly keys: Keys;
}

export interface ReadInstallation {
  /** What the record hash holds: the value that a replacement must still find. */
  readonly text: string;
  readonly stored: StoredInstallation;
}

export async function readInstallation(
  reader: Reader,
  app: string,
  objectId: string,
): Promise<ReadInstallation | undefined> {
  const text = await reader.redis.hget(reader.keys.records(app, shardOf(objectId)), objectId);
  return text === null ? undefined : { text, stored: await complete(reader, app, { objectId, text }) };
}

/** Adds the registrationId, which stands in the index alone. */
export async function complete(
  { redis, keys }: Reader,
  app: string,
  { objectId, text }: { objectId: string; text: string },
): Promise<StoredInstallation> {
  const bucket = bucketOfText(text);
  if (bucket === '') return decodeInstallation(objectId, text, '');
  const [min, max] = only(objectId);
  const [address] = await redis.zrangebylex(keys.bucket(app, shardOf(objectId), bucket), min, max, 'LIMIT', 0, 1);
  return decodeInstallation(objectId, text, address === undefined ? '' : splitAddress(address).registrationId);
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

export const toInstallation = ({ objectId, doc }: StoredInstallation): Installation =>
  ({ objectId, ...doc }) as unknown as Installation;
