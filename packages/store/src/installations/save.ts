import { randomBytes } from 'node:crypto';
import {
  applyClientSave,
  applySave,
  channelsOf,
  checkInstallation,
  type Installation,
  type JsonObject,
  type MasterOnly,
} from '@pushfleet/domain';
import { bytesOf } from './ceiling/bytes-of';
import { scoreOf } from './ceiling/mark';
import { conditionOf, type Condition } from './condition';
import { clearLookUps, settleRegistration, writeLookUps } from './look-ups';
import { claimName, forgetName, keepsName, nameIn } from './names';
import { lookUp, readInstallation, toInstallation, type ReadInstallation } from './read';
import { encodeInstallation, followingUpdate, movesOf, type StoredInstallation } from './stored';
import { MAX_RACES, replaceInstallation, type Standing, type Writer } from './write';

export interface SaveRequest {
  readonly app: string;
  readonly body: JsonObject;
  /** Of the address in a PUT, or in the body of a client that sends its whole document. */
  readonly objectId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The save is made with the app key: what it leaves as it is. Absent: the master key. */
  readonly client?: MasterOnly | undefined;
  /** Of who saves with the app key, as far as it can be told. */
  readonly address?: string | undefined;
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
  const saved = await saveWhile(writer, request, () => true);
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
  return saveWhile(writer, request, (old) => (mayCreate && old === undefined) || holds(old));
}

async function saveWhile(
  writer: Writer,
  request: SaveRequest,
  condition: Condition,
): Promise<Saved | 'unmatched' | undefined> {
  const tookFrom: string[] = [];
  for (let race = 0; race < MAX_RACES; race += 1) {
    const identity = await identify(writer, request);
    if (identity === undefined) return undefined;
    const saved = await trySave(writer, request, { ...identity, condition, tookFrom });
    if (saved) return saved;
  }
  throw new Error(`an installation of app ${request.app}: changed by others ${MAX_RACES} times while it was saved`);
}

interface Identity {
  readonly objectId: string;
  /** It is known by its record, and not to be made. */
  readonly isRecorded: boolean;
  /** The installationId that led to it, which its record must have. */
  readonly name?: string;
}

/**
 * The installationId says which device it is. A body with another than the addressed record has is a save of the device
 * that the body names; a record without one may get one.
 */
async function identify(writer: Writer, { app, body, objectId }: SaveRequest): Promise<Identity | undefined> {
  const name = nameIn(body);
  const read = objectId === undefined ? undefined : await readInstallation(writer, app, objectId);
  if (read) return identifyAddressed(writer, app, { stored: read.stored, name });
  if (name === undefined) return objectId === undefined ? { objectId: newObjectId(), isRecorded: false } : undefined;
  const owner = await lookUp(writer, app, ['installationId', name]);
  return { objectId: owner ?? newObjectId(), isRecorded: false, name };
}

interface Addressed {
  readonly stored: StoredInstallation;
  /** That the body brings. */
  readonly name: string | undefined;
}

async function identifyAddressed(writer: Writer, app: string, { stored, name }: Addressed): Promise<Identity> {
  const mine = { objectId: stored.objectId, isRecorded: true };
  const before = nameIn(stored.doc);
  if (name === undefined || name === before) return mine;
  const owner = await lookUp(writer, app, ['installationId', name]);
  if (owner === undefined) return before === undefined ? mine : { objectId: newObjectId(), isRecorded: false, name };
  return owner === mine.objectId ? mine : { objectId: owner, isRecorded: true, name };
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv';

/** 32 letters and digits, as the hosted service gave them. */
const newObjectId = (): string => Array.from(randomBytes(32), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

interface Attempt {
  readonly condition: Condition;
  /** Grows by the installations that lost their registrationId to this one. */
  readonly tookFrom: string[];
}

/** Undefined when somebody else was faster: then everything is looked at again. */
async function trySave(
  writer: Writer,
  { app, body, now, client, address }: SaveRequest,
  { condition, tookFrom, ...identity }: Identity & Attempt,
): Promise<Saved | 'unmatched' | undefined> {
  const { objectId } = identity;
  const read = await readInstallation(writer, app, objectId);
  const old = read?.stored;
  if (!(await isMeant(writer, app, { identity, old }))) return undefined;
  if (!condition(old)) return 'unmatched';
  const next = await writer.rounds.spend(() => nextVersion({ objectId, old, body, now, client }));
  await requireRoom(writer, app, { read, next, isClient: client !== undefined });
  const standing = standingOf({ old, client, address, now });
  if (!(await write(writer, app, { read, next, standing, ...(client ? { tookFrom } : {}) }))) return undefined;
  // A record may have had its name for a moment only, before it learned that it is another's.
  if (old && identity.name !== undefined && (await lookUp(writer, app, ['installationId', identity.name])) !== objectId)
    return undefined;
  return { installation: toInstallation(next), isNew: old === undefined, tookFrom };
}

/** False when the record has gone, or has not the name that led to it: then the name leads there no more. */
async function isMeant(
  writer: Writer,
  app: string,
  { identity: { objectId, isRecorded, name }, old }: { identity: Identity; old: StoredInstallation | undefined },
): Promise<boolean> {
  if (!old && !isRecorded) return true;
  if (old && (name === undefined || name === nameIn(old.doc))) return true;
  if (name !== undefined) await forgetName(writer, app, { name, objectId });
  return false;
}

/** What is new needs room; what exists is refused none, unless it would become much larger in an app that is full. */
async function requireRoom(
  { room }: Writer,
  app: string,
  { read, next, isClient }: Pick<Version, 'read' | 'next'> & { readonly isClient: boolean },
): Promise<void> {
  const size = (): number => bytesOf(encodeInstallation(next, undefined), { channels: channelsOf(next.doc) });
  if (!read) return room.take(app, { installations: 1, bytes: size() });
  if (isClient) room.requireModest(app, { before: read.text.length, after: size });
}

type Save = Pick<SaveRequest, 'client' | 'address' | 'now'> & { readonly old: StoredInstallation | undefined };

/** The master key confirms; what the app key makes is nobody's until a gateway or a vendor has seen it. */
function standingOf({ old, client, address, now }: Save): Standing | undefined {
  if (!client) return 'confirmed';
  return old ? undefined : scoreOf(address, now);
}

interface Version {
  readonly read: ReadInstallation | undefined;
  readonly next: StoredInstallation;
  readonly standing?: Standing | undefined;
  /** Present when the app key saves. */
  readonly tookFrom?: string[];
}

/** False when the record is not what was read, or its name has become another's. */
async function write(writer: Writer, app: string, version: Version): Promise<boolean> {
  const { read, next: wanted, standing, tookFrom } = version;
  const { objectId } = wanted;
  const old = read?.stored;
  if (!(await claimName(writer, app, { old, next: wanted }))) return false;
  const losers = await writeLookUps(writer, app, { old, next: wanted, isClient: tookFrom !== undefined });
  tookFrom?.push(...losers);
  const next = tookFrom === undefined ? wanted : withTaken(wanted, tookFrom);
  const change = { app, objectId, oldText: read?.text ?? '', old, next, standing };
  if (!(await replaceInstallation(writer, change))) return false;
  if (!(await keepsName(writer, app, { old, next }))) return false;
  if (old) await clearLookUps(writer, app, { stored: old, kept: next });
  await settleRegistration(writer, app, { old, next });
  return true;
}

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
