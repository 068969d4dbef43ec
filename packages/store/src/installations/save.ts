import { randomBytes } from 'node:crypto';
import {
  applySave,
  compileWhere,
  InvalidInput,
  MAX_INSTALLATION_BYTES,
  type Installation,
  type JsonObject,
} from '@pushfleet/domain';
import { answered } from './find';
import { clearLookUps, settleRegistration, writeLookUps } from './look-ups';
import { lookUp, readInstallation, toInstallation, type ReadInstallation } from './read';
import { followingUpdate, type StoredInstallation } from './stored';
import { replaceInstallation, type Writer } from './write';

export interface SaveRequest {
  readonly app: string;
  readonly body: JsonObject;
  /** Of the address in a PUT, or in the body of a client that sends its whole document. */
  readonly objectId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Saved {
  readonly installation: Installation;
  readonly isNew: boolean;
}

const MAX_RACES = 20;

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
}

export async function saveInstallationIf(
  writer: Writer,
  { where, ...request }: SaveIfRequest,
): Promise<Saved | 'unmatched' | undefined> {
  return saveWhile(writer, request, await conditionOf(writer, request.app, where));
}

/** Whether a version may be replaced or removed; there may be none yet. */
type Condition = (old: StoredInstallation | undefined) => boolean;

async function conditionOf(writer: Writer, app: string, where: JsonObject): Promise<Condition> {
  const matches = compileWhere(await answered(writer, app, where));
  return (old) => old !== undefined && matches(toInstallation(old));
}

async function saveWhile(
  writer: Writer,
  request: SaveRequest,
  condition: Condition,
): Promise<Saved | 'unmatched' | undefined> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const identity = await identify(writer, request);
    if (identity === undefined) return undefined;
    const saved = await trySave(writer, request, { ...identity, condition });
    if (saved) return saved;
  }
  throw new Error(`an installation of app ${request.app}: changed by others ${MAX_RACES} times while it was saved`);
}

interface Identity {
  readonly objectId: string;
  /** It has a record, or its installationId names it, or nobody else can know it. */
  readonly origin: 'recorded' | 'named' | 'unnamed';
}

async function identify(writer: Writer, { app, body, objectId }: SaveRequest): Promise<Identity | undefined> {
  if (objectId !== undefined && (await readInstallation(writer, app, objectId)))
    return { objectId, origin: 'recorded' };
  const installationId = body['installationId'];
  if (typeof installationId === 'string' && installationId !== '') return claim(writer, app, installationId);
  return objectId === undefined ? { objectId: newObjectId(), origin: 'unnamed' } : undefined;
}

/** The objectId that this installationId stands for: the first to ask decides. */
async function claim({ redis, keys }: Writer, app: string, installationId: string): Promise<Identity> {
  const { key, field } = keys.lookUp(app, 'installationId', installationId);
  const fresh = newObjectId();
  for (;;) {
    if ((await redis.hsetnx(key, field, fresh)) === 1) return { objectId: fresh, origin: 'named' };
    const known = await redis.hget(key, field);
    if (known !== null) return { objectId: known, origin: 'named' };
  }
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv';

/** 32 letters and digits, as the hosted service gave them. */
const newObjectId = (): string => Array.from(randomBytes(32), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** Undefined when somebody else was faster: then everything is looked at again. */
async function trySave(
  writer: Writer,
  { app, body, now }: SaveRequest,
  { objectId, origin, condition }: Identity & { readonly condition: Condition },
): Promise<Saved | 'unmatched' | undefined> {
  const read = await readInstallation(writer, app, objectId);
  const old = read?.stored;
  if (!old && origin === 'recorded') return undefined;
  if (!condition(old)) return 'unmatched';
  const next = nextVersion({ objectId, old, body, now });
  if (!(await write(writer, app, { read, next, origin }))) return undefined;
  return { installation: toInstallation(next), isNew: old === undefined };
}

interface Version {
  readonly read: ReadInstallation | undefined;
  readonly next: StoredInstallation;
  readonly origin: Identity['origin'];
}

/** False when the record is not what was read, or its name has become another's. */
async function write(writer: Writer, app: string, { read, next, origin }: Version): Promise<boolean> {
  const { objectId } = next;
  const old = read?.stored;
  await writeLookUps(writer, app, { old, next });
  if (!(await replaceInstallation(writer, { app, objectId, oldText: read?.text ?? '', old, next }))) return false;
  if (old) await clearLookUps(writer, app, { stored: old, kept: next });
  else if (origin === 'named' && !(await keepsName(writer, app, next))) return false;
  await settleRegistration(writer, app, { old, next });
  return true;
}

/**
 * A record that was made under a known objectId may have been removed a moment before: whoever did that may still be
 * clearing its look-ups, and another save may have given the installationId a new objectId. Then this record goes.
 */
async function keepsName(writer: Writer, app: string, next: StoredInstallation): Promise<boolean> {
  await writeLookUps(writer, app, { old: next, next });
  const owner = await lookUp(writer, app, ['installationId', String(next.doc['installationId'])]);
  if (owner === next.objectId) return true;
  await removeInstallation(writer, app, next.objectId);
  return false;
}

interface Change {
  readonly objectId: string;
  readonly old: StoredInstallation | undefined;
  readonly body: JsonObject;
  readonly now: number;
}

function nextVersion({ objectId, old, body, now }: Change): StoredInstallation {
  const updatedAt = old ? followingUpdate(old, now) : new Date(now).toISOString();
  const { createdAt = updatedAt, ...previous } = old?.doc ?? {};
  const doc = { ...applySave(previous, body), createdAt, updatedAt };
  if (Buffer.byteLength(JSON.stringify(doc)) > MAX_INSTALLATION_BYTES)
    throw new InvalidInput('too-large', `an installation may hold at most ${MAX_INSTALLATION_BYTES} bytes`);
  const sameRegistration = old !== undefined && old.doc['registrationId'] === doc['registrationId' as keyof typeof doc];
  return { objectId, doc, isRetired: sameRegistration && old.isRetired };
}

/**
 * Takes a dead registration out of the audience, keeping the installation; does nothing if the device has a new one.
 * A registration that stands for its own objectId was pushed to by name: the installation behind it is looked up.
 */
export async function retireRegistration(
  writer: Writer,
  app: string,
  { objectId: name, registrationId }: { objectId: string; registrationId: string },
): Promise<boolean> {
  if (registrationId === '') return false;
  const objectId = name === registrationId ? await lookUp(writer, app, ['registrationId', registrationId]) : name;
  if (objectId === undefined) return false;
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, objectId);
    if (!read || read.stored.isRetired || read.stored.doc['registrationId'] !== registrationId) return false;
    const doc = { ...read.stored.doc, updatedAt: followingUpdate(read.stored) };
    const next = { ...read.stored, doc, isRetired: true };
    if (await replaceInstallation(writer, { app, objectId, oldText: read.text, old: read.stored, next })) return true;
  }
  return false;
}

/** False when there was nothing to remove. */
export function removeInstallation(writer: Writer, app: string, objectId: string): Promise<boolean> {
  return removeWhile(writer, { app, objectId, condition: () => true });
}

/** False when there was nothing to remove, or the condition does not hold for it. */
export async function removeInstallationIf(
  writer: Writer,
  app: string,
  { objectId, where }: { objectId: string; where: JsonObject },
): Promise<boolean> {
  return removeWhile(writer, { app, objectId, condition: await conditionOf(writer, app, where) });
}

export interface Removal {
  readonly app: string;
  readonly objectId: string;
  readonly condition: Condition;
}

export async function removeWhile(writer: Writer, { app, objectId, condition }: Removal): Promise<boolean> {
  let isRemoved = false;
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, objectId);
    // Looked at again after a removal: a save may have brought the record back while its look-ups went.
    if (!read || !condition(read.stored)) return isRemoved;
    const change = { app, objectId, oldText: read.text, old: read.stored, next: undefined };
    if (!(await replaceInstallation(writer, change))) continue;
    await clearLookUps(writer, app, { stored: read.stored });
    isRemoved = true;
  }
  return isRemoved;
}
