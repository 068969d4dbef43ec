import { randomBytes } from 'node:crypto';
import {
  applyClientSave,
  applySave,
  checkInstallation,
  type Installation,
  type JsonObject,
  type MasterOnly,
} from '@pushfleet/domain';
import type { LookUpKind } from './keys';
import { scoreOf } from './ceiling/mark';
import { takeRoom, type Versions } from './ceiling/take-room';
import { conditionOf, type Condition } from './find';
import { claimId, type Claimed as IdClaim } from './identity/claim';
import { idIn } from './identity/ids';
import type { Exclusive } from './identity/protocol';
import { indexChanges } from './index-changes';
import { placeOf } from './placement';
import { RACED } from './races';
import { neverWritten, toInstallation, versionOfText, type RecordVersion, type Refresh } from './read';
import { refreshOf, type SaveContent } from './refresh';
import { followingUpdate, movesOf, type RegistrationMove, type StoredInstallation } from './stored';
import { replaceInstallation, type Standing, type Writer } from './write';

export interface SaveRequest extends SaveContent {
  readonly app: string;
  /** Of the address in a PUT, or in the body of a client that sends its whole document. */
  readonly objectId?: string | undefined;
  /** Of who saves with the app key, as far as it can be told. */
  readonly address?: string | undefined;
  /** Told how many subscriptions and indexed values the save changes, before it claims or writes anything; throws to refuse it. */
  readonly charge?: ((changes: number) => void) | undefined;
}

export interface Saved {
  readonly installation: Installation;
  readonly isNew: boolean;
  /** The app key moved a registrationId here from these installations. */
  readonly tookFrom: readonly string[];
}

/**
 * Creates or changes an installation. The installationId decides which: two first saves at once make one record.
 * Undefined when the objectId is unknown and no installationId could take its place.
 */
export async function saveInstallation(writer: Writer, request: SaveRequest): Promise<Saved | undefined> {
  const saved = await saveWhile(writer, request, { condition: () => true, refresh: refreshOf(request) });
  return saved === 'unmatched' ? undefined : saved;
}

export interface SaveIfRequest extends SaveRequest {
  /** Parsed; must hold for the version that the save replaces. */
  readonly where: JsonObject;
  /** There may be no version yet: then the save makes the first. */
  readonly mayCreate?: boolean;
}

export async function saveInstallationIf(
  writer: Writer,
  { where, mayCreate = false, ...request }: SaveIfRequest,
): Promise<Saved | 'unmatched' | undefined> {
  const holds = await conditionOf(writer, request.app, where);
  const condition: Condition = (old) => (mayCreate && old === undefined) || holds(old);
  return saveWhile(writer, request, { condition, refresh: undefined });
}

interface Terms {
  readonly condition: Condition;
  /** Absent: the save is none that could leave everything as it is. */
  readonly refresh: Refresh | undefined;
}

type SaveResult = Saved | 'unmatched' | undefined;

function saveWhile(writer: Writer, request: SaveRequest, { condition, refresh }: Terms): Promise<SaveResult> {
  const { app, objectId, body } = request;
  const tookFrom: string[] = [];
  const record = objectId ?? idIn(body, 'installationId');
  return writer.untilWritten({ app, record, doing: 'saved' }, async (races): Promise<SaveResult | typeof RACED> => {
    const found = await findRecord(writer, { ...request, refresh });
    if (found === undefined) return undefined;
    const { stored } = found.version;
    if (stored && found.isRefreshed) return { installation: toInstallation(stored), isNew: false, tookFrom };
    if (!condition(stored)) return 'unmatched';
    return (await trySave(writer, request, { version: found.version, tookFrom, races })) ?? RACED;
  });
}

/** The record that a save is of. */
interface FoundRecord {
  readonly version: RecordVersion;
  /** It holds what the save brings, and has its new updatedAt. */
  readonly isRefreshed: boolean;
}

type Search = SaveRequest & Pick<Terms, 'refresh'>;
type NamedSearch = Search & { readonly name: string };

/**
 * The installationId says which device it is. A body with another than the addressed record has is a save of the device
 * that the body names; a record without one may get one.
 */
async function findRecord(writer: Writer, search: Search): Promise<FoundRecord | undefined> {
  const { body, objectId } = search;
  const name = idIn(body, 'installationId');
  const addressed = objectId === undefined ? undefined : await read(writer, search, objectId);
  if (addressed?.version.stored)
    return name === undefined ? addressed : findRenamed(writer, { ...search, name }, addressed);
  if (name !== undefined) return findNamed(writer, { ...search, name });
  return objectId === undefined ? aNewRecord() : undefined;
}

/** The addressed record, unless the body has the name of another device. */
async function findRenamed(writer: Writer, search: NamedSearch, addressed: FoundRecord): Promise<FoundRecord> {
  const before = nameIn(addressed);
  if (search.name === before) return addressed;
  const owner = await ownerOf(writer, search);
  const named = owner === '' || owner === search.objectId ? undefined : await read(writer, search, owner);
  if (named && nameIn(named) === search.name) return named;
  if (before === undefined) return addressed;
  // What the look-up names is not there: whoever saves it first makes it.
  return named && !named.version.stored ? named : aNewRecord();
}

/** A look-up may name a record that is not there: it is just being written, or has gone. Whoever saves it first makes it. */
async function findNamed(writer: Writer, search: NamedSearch): Promise<FoundRecord> {
  const owner = await ownerOf(writer, search);
  if (owner === '') return aNewRecord();
  const named = await read(writer, search, owner);
  return !named.version.stored || nameIn(named) === search.name ? named : aNewRecord();
}

const nameIn = ({ version }: FoundRecord): string | undefined => idIn(version.stored?.doc, 'installationId');

async function ownerOf({ askLookUp }: Writer, { app, name }: NamedSearch): Promise<string> {
  return (await askLookUp({ app, step: 'look', id: { kind: 'installationId', value: name } })).owner;
}

async function read(writer: Writer, { app, refresh }: Search, objectId: string): Promise<FoundRecord> {
  const text = await writer.readText({ app, objectId, refresh });
  const version = await versionOfText(writer, objectId, text);
  return { version, isRefreshed: text.isRefreshed && (await isPlaced(writer, app, version)) };
}

/** Its place is another one when a release knows more vendors, or an app more profiles. */
async function isPlaced(writer: Writer, app: string, { stored }: RecordVersion): Promise<boolean> {
  return stored !== undefined && (await placeOf(writer, app, stored))?.bucket === stored.bucket;
}

const aNewRecord = (): FoundRecord => ({ version: neverWritten(newObjectId()), isRefreshed: false });

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv';

/** 32 letters and digits, as the hosted service gave them. */
const newObjectId = (): string => Array.from(randomBytes(32), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

interface Attempt {
  readonly version: RecordVersion;
  /** Grows by the installations that lost their registrationId to this one. */
  readonly tookFrom: string[];
  /** Lost before this attempt. */
  readonly races: number;
}

/** Undefined when somebody else was faster: then everything is looked at again. */
async function trySave(
  writer: Writer,
  { app, body, now, client, address, charge }: SaveRequest,
  { version, tookFrom, races }: Attempt,
): Promise<Saved | undefined> {
  const { objectId, stored: old } = version;
  const wanted = await writer.rounds.spend(() => nextVersion({ objectId, old, body, now, client }));
  charge?.(await indexChanges(writer, app, { old, next: wanted }));
  const taken = await takeRoom(writer.room, app, { old, next: wanted, isClient: client !== undefined });
  const claimed = await claimIds(writer, app, { old, next: wanted, isClient: client !== undefined, body, races });
  if (!claimed) return undefined;
  if (client) tookFrom.push(...claimed.tookFrom);
  const next = withTaken(wanted, tookFrom);
  const standing = standingOf({ old, client, address, now });
  const { at: claimedAt } = claimed;
  if (!(await replaceInstallation(writer, { app, version, next, claimedAt, standing, taken }))) return undefined;
  return { installation: toInstallation(next), isNew: old === undefined, tookFrom };
}

interface Claims extends Versions {
  readonly body: JsonObject;
  readonly races: number;
}

interface Claimed {
  /** Undefined when nothing was claimed. */
  readonly at: number | undefined;
  readonly tookFrom: readonly string[];
}

/**
 * Claims what the save brings. An id that the record has already is claimed along with a change, so that a look-up which
 * Redis lost is there again. Undefined when the installationId is another's.
 */
async function claimIds(
  writer: Writer,
  app: string,
  { old, next, isClient, body, races }: Claims,
): Promise<Claimed | undefined> {
  const { objectId, doc } = next;
  const by = old ? 'later save' : 'first save';
  const isNew = (kind: LookUpKind): boolean => doc[kind] !== old?.doc[kind];
  const brought = (kind: LookUpKind): string | undefined =>
    isNew(kind) || body[kind] !== undefined ? idIn(doc, kind) : undefined;
  const claim = async (kind: Exclusive, lost?: RegistrationMove): Promise<IdClaim | undefined> => {
    const value = brought(kind);
    return value === undefined ? undefined : claimId(writer, { app, objectId, kind, value, by, lost, races });
  };
  const name = await claim('installationId');
  if (name?.isMine === false && isNew('installationId')) return undefined;
  const lost = isClient ? { objectId, at: String(doc['updatedAt']) } : undefined;
  const [registration] = await Promise.all([claim('registrationId', lost), point(writer, app, { old, next })]);
  const claims = [name, registration].filter((one) => one !== undefined);
  return {
    at: claims.length === 0 ? undefined : Math.min(...claims.map(({ at }) => at)),
    tookFrom: registration?.tookFrom ?? [],
  };
}

/** Several may have one device token; it leads to the last that brought it. */
async function point(writer: Writer, app: string, { old, next }: Pick<Claims, 'old' | 'next'>): Promise<void> {
  const value = idIn(next.doc, 'deviceToken');
  if (value === undefined || value === idIn(old?.doc, 'deviceToken')) return;
  await writer.askLookUp({ app, step: 'point', id: { kind: 'deviceToken', value }, objectId: next.objectId });
}

/** The master key confirms; what the app key makes is nobody's until a gateway or a vendor has seen it. */
function standingOf({ old, client, address, now }: Standings): Standing | undefined {
  if (!client) return 'confirmed';
  return old ? undefined : scoreOf(address, now);
}

type Standings = Pick<SaveRequest, 'client' | 'address' | 'now'> & { readonly old: StoredInstallation | undefined };

/** What an operator is shown of a registrationId that the app key moved. */
function withTaken(next: StoredInstallation, [from]: readonly string[]): StoredInstallation {
  return from === undefined ? next : { ...next, took: { objectId: from, at: String(next.doc['updatedAt']) } };
}

const savedBy = (client: MasterOnly | undefined, previous: JsonObject, body: JsonObject): JsonObject =>
  client ? applyClientSave(previous, body, client) : applySave(previous, body);

interface Change {
  readonly objectId: string;
  readonly old: StoredInstallation | undefined;
  readonly body: JsonObject;
  readonly now: number;
  readonly client: MasterOnly | undefined;
}

function nextVersion({ objectId, old, body, now, client }: Change): StoredInstallation {
  const updatedAt = old ? followingUpdate(old, now) : new Date(now).toISOString();
  const { createdAt = updatedAt, ...previous } = old?.doc ?? {};
  const doc = { ...savedBy(client, previous, withoutShown(old, body)), createdAt, updatedAt };
  checkInstallation(doc, old?.doc);
  return { ...movesOf(old), objectId, doc, isRetired: staysRetired(old, doc), isDeep: old?.isDeep ?? false };
}

/** A client that saves the whole document gives back what it was shown of a retired registration. */
function withoutShown(old: StoredInstallation | undefined, body: JsonObject): JsonObject {
  if (old?.isRetired !== true || body['valid'] !== false) return body;
  const { valid: _, ...rest } = body;
  return rest;
}

/** A word that may pass has passed when the device is there to save itself. */
function staysRetired(old: StoredInstallation | undefined, doc: JsonObject): boolean {
  if (old?.isRetired !== true || old.struck !== undefined) return false;
  return old.doc['registrationId'] === doc['registrationId'];
}
