import {
  bucketOf,
  channelsOf,
  isJsonObject,
  jsonIn,
  type JsonObject,
  jsonText,
  LIMITS,
  nestsDeeper,
  type RouteBucket,
  writeJson,
} from '@pushfleet/domain';

/** Marks a record whose registrationId the vendor called dead; gone as soon as the device brings another. */
const RETIRED = '$retired';
/** Days on which the vendor called it dead in words that may pass; gone when the device saves itself. */
export const STRUCK = '$struck';
/** Marks of a registrationId that the app key moved from one record to another. */
const TOOK = '$took';
const LOST = '$lost';
/** When a record came that was stale by then; gone when the device saves itself. */
const IMPORTED = '$imported';

/** The other record, and when. */
export interface RegistrationMove {
  readonly objectId: string;
  readonly at: string;
}

export interface Strikes {
  readonly days: number;
  /** The last of these days, as a date. */
  readonly last: string;
}

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
  /** Why it may be retired: a word of its vendor that may pass. */
  readonly struck?: Strikes;
  /** Its device was not seen for long: kept, but no target until it saves again. */
  readonly isStale?: boolean;
  /** It was stale already when it was imported, in milliseconds since the epoch. */
  readonly importedAt?: number;
  /** Nests deeper than a document may: it was stored before there was a limit. */
  readonly isDeep?: boolean;
  /** The app key moved a registrationId here from another record, and from here to another, last. */
  readonly took?: RegistrationMove;
  readonly lost?: RegistrationMove;
}

/** What is kept of earlier versions. */
export const movesOf = (old: StoredInstallation | undefined): Pick<StoredInstallation, 'took' | 'lost'> => ({
  ...(old?.took ? { took: old.took } : {}),
  ...(old?.lost ? { lost: old.lost } : {}),
});

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

export const addressOf = (objectId: string, registrationId: unknown): string =>
  `${objectId} ${typeof registrationId === 'string' ? registrationId : ''}`;

/** The text kept in the record hash: the bucket, then the document without what key and index hold. */
export function encodeInstallation(stored: StoredInstallation, entry: IndexEntry | undefined): string {
  const { doc, isDeep = false } = stored;
  const isIndexed = entry !== undefined && doc['registrationId'] !== '';
  const kept = isIndexed ? { ...doc, registrationId: undefined } : doc;
  const whole = (isMarked(stored) ? { ...kept, ...marksOf(stored) } : kept) as JsonObject;
  return `${entry?.bucket ?? ''}\n${isDeep ? jsonText(whole) : writeJson(whole)}`;
}

const isMarked = ({ isRetired, struck, took, lost, importedAt }: StoredInstallation): boolean =>
  isRetired || [struck, took, lost, importedAt].some((mark) => mark !== undefined);

const marksOf = ({ isRetired, struck, took, lost, importedAt }: StoredInstallation): object => ({
  [RETIRED]: isRetired ? true : undefined,
  [STRUCK]: struck,
  [TOOK]: took,
  [LOST]: lost,
  [IMPORTED]: importedAt,
});

/** The bucket a stored text names; empty when the installation is not a target. */
export const bucketOfText = (text: string): RouteBucket => text.slice(0, Math.max(0, text.indexOf('\n')));

const MEMBER = '"installationId":"';

/**
 * The installationId of a stored text. Whole pages are read for it alone, and a text with one that is plainly its own is not
 * parsed: no other object begins before the member, and nothing in its value is escaped.
 */
export function installationIdOfText(objectId: string, text: string): string | undefined {
  const begin = text.indexOf('\n') + 1;
  const at = text.indexOf(MEMBER, begin);
  const from = at + MEMBER.length;
  const inner = text.indexOf('{', begin + 1);
  const isOwn = at > begin && (inner < 0 || inner > at) && (text[at - 1] === '{' || text[at - 1] === ',');
  const value = isOwn ? text.slice(from, text.indexOf('"', from)) : '\\';
  if (!value.includes('\\')) return value;
  const installationId = decodeInstallation(objectId, text, '')?.doc['installationId'];
  return typeof installationId === 'string' ? installationId : undefined;
}

const MARKS = [RETIRED, STRUCK, TOOK, LOST, IMPORTED];

/** Most records have none, and to leave names out of an object costs more than to look for them. */
function withoutMarks(parsed: JsonObject): JsonObject {
  if (!MARKS.some((mark) => mark in parsed)) return parsed;
  return Object.fromEntries(Object.entries(parsed).filter(([name]) => !MARKS.includes(name)));
}

/**
 * Undefined where the text is damaged, or lost its first line, without which nobody knows where the index holds it: it must not keep
 * the others from what is done to all of them.
 */
export function decodeInstallation(
  objectId: string,
  text: string,
  registrationId: string,
): IndexedInstallation | undefined {
  const firstLineEnd = text.indexOf('\n');
  if (firstLineEnd < 0) return undefined;
  const json = text.slice(firstLineEnd + 1);
  const parsed = jsonIn(json) as Record<string, never> | undefined;
  if (!isJsonObject(parsed)) return undefined;
  const { [RETIRED]: retired, [STRUCK]: struck, [TOOK]: took, [LOST]: lost, [IMPORTED]: importedAt } = parsed;
  const doc = withoutMarks(parsed);
  const bucket = bucketOfText(text);
  return {
    objectId,
    doc: registrationId === '' ? doc : { ...doc, registrationId },
    isRetired: retired === true,
    ...(struck === undefined ? {} : { struck }),
    ...(importedAt === undefined ? {} : { importedAt }),
    ...movesOf({ took, lost } as never),
    // Nothing else keeps a valid device out of every bucket.
    ...(bucket === '' && doc['valid'] !== false ? { isStale: true } : {}),
    ...(nestsDeeper(json, LIMITS.installationLevels.value) ? { isDeep: true } : {}),
    bucket,
  };
}

/** Where the index holds a record that is damaged, as far as its text still says. */
export function entryOfDamaged(text: string, address: string): IndexEntry | undefined {
  return address === '' ? undefined : { bucket: bucketOfText(text), address, channels: [] };
}

/** Splits an index member into its two halves. */
export function splitAddress(address: string): { objectId: string; registrationId: string } {
  const space = address.indexOf(' ');
  return { objectId: address.slice(0, space), registrationId: address.slice(space + 1) };
}

/** Bounds for a lexical range over index members: one objectId, or everything after it. */
export const only = (objectId: string): readonly [string, string] => [`[${objectId} `, `(${objectId}!`];
export const after = (objectId: string): string => (objectId === '' ? '-' : `[${objectId}!`);
