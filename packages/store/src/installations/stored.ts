import {
  bucketOf,
  channelsOf,
  jsonText,
  LIMITS,
  nestsDeeper,
  type JsonObject,
  type RouteBucket,
} from '@pushfleet/domain';

/** Marks a record whose registrationId the vendor called dead; gone as soon as the device brings another. */
const RETIRED = '$retired';

/** What the index holds of one installation. */
export interface IndexEntry {
  readonly bucket: RouteBucket;
  /** `objectId registrationId`. */
  readonly address: string;
  readonly channels: readonly string[];
}

/** One installation in both its forms: the document a client sees and what is kept beside it. */
export interface StoredInstallation {
  readonly objectId: string;
  /** Without objectId; with the registrationId. */
  readonly doc: JsonObject;
  readonly isRetired: boolean;
  /** Its device was not seen for long: kept, but no target until it saves again. */
  readonly isStale?: boolean;
  /** Nests deeper than a document may: it was stored before there was a limit. */
  readonly isDeep?: boolean;
}

/** As it was read; `bucket` is where the index holds it, empty when it is not a target. */
export interface IndexedInstallation extends StoredInstallation {
  readonly bucket: RouteBucket;
}

/** Later than the version before: no two texts of a record are equal, which is what a compare-and-set relies on. */
export function followingUpdate({ doc }: StoredInstallation, now = 0): string {
  return new Date(Math.max(now, Date.parse(String(doc['updatedAt'])) + 1)).toISOString();
}

/** Where a version not written yet belongs. */
export function indexEntryOf(stored: StoredInstallation, vendors: ReadonlyMap<string, string>): IndexEntry | undefined {
  const bucket = stored.isStale === true ? undefined : bucketOf(stored.doc, vendors, stored.isRetired);
  return bucket === undefined ? undefined : entryIn(bucket, stored);
}

/** Where a version that was read stands. Not computed anew: a later release may know more vendors. */
export const indexedEntryOf = (stored: IndexedInstallation): IndexEntry | undefined =>
  stored.bucket === '' ? undefined : entryIn(stored.bucket, stored);

function entryIn(bucket: RouteBucket, { objectId, doc }: StoredInstallation): IndexEntry {
  return { bucket, address: addressOf(objectId, doc['registrationId']), channels: channelsOf(doc) };
}

const addressOf = (objectId: string, registrationId: unknown): string =>
  `${objectId} ${typeof registrationId === 'string' ? registrationId : ''}`;

/** The text kept in the record hash: the bucket, then the document without what key and index hold. */
export function encodeInstallation(
  { doc, isRetired, isDeep = false }: StoredInstallation,
  entry: IndexEntry | undefined,
): string {
  const isIndexed = entry !== undefined && doc['registrationId'] !== '';
  const kept = isIndexed ? { ...doc, registrationId: undefined } : doc;
  const whole = (isRetired ? { ...kept, [RETIRED]: true } : kept) as JsonObject;
  return `${entry?.bucket ?? ''}\n${isDeep ? jsonText(whole) : JSON.stringify(whole)}`;
}

/** The bucket a stored text names; empty when the installation is not a target. */
export const bucketOfText = (text: string): RouteBucket => text.slice(0, text.indexOf('\n'));

export function decodeInstallation(objectId: string, text: string, registrationId: string): IndexedInstallation {
  const json = text.slice(text.indexOf('\n') + 1);
  const { [RETIRED]: retired, ...doc } = JSON.parse(json) as Record<string, never>;
  const bucket = bucketOfText(text);
  return {
    objectId,
    doc: registrationId === '' ? doc : { ...doc, registrationId },
    isRetired: retired === true,
    // Nothing else keeps a valid device out of every bucket.
    ...(bucket === '' && doc['valid'] !== false ? { isStale: true } : {}),
    ...(nestsDeeper(json, LIMITS.installationLevels.value) ? { isDeep: true } : {}),
    bucket,
  };
}

/** Splits an index member into its two halves. */
export function splitAddress(address: string): { objectId: string; registrationId: string } {
  const space = address.indexOf(' ');
  return { objectId: address.slice(0, space), registrationId: address.slice(space + 1) };
}

/** Bounds for a lexical range over index members: one objectId, or everything after it. */
export const only = (objectId: string): readonly [string, string] => [`[${objectId} `, `(${objectId}!`];
export const after = (objectId: string): string => (objectId === '' ? '-' : `[${objectId}!`);
