import { randomBytes } from 'node:crypto';
import { applySave, InvalidInput, MAX_INSTALLATION_BYTES, type Installation, type JsonObject } from '@pushfleet/domain';
import type { LookUpKind } from '../keys';
import { readInstallation, toInstallation } from './read';
import type { StoredInstallation } from './stored';
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
const LOOK_UP_KINDS: readonly LookUpKind[] = ['installationId', 'deviceToken', 'registrationId'];

/**
 * Creates or changes an installation. The installationId decides which: two first saves at once make one record.
 * Undefined when the objectId is unknown and no installationId could take its place.
 */
export async function saveInstallation(writer: Writer, request: SaveRequest): Promise<Saved | undefined> {
  const objectId = await identify(writer, request);
  if (objectId === undefined) return undefined;
  for (let race = 0; race < MAX_RACES; race += 1) {
    const saved = await trySave(writer, request, objectId);
    if (saved) return saved;
  }
  throw new Error(`installation ${objectId}: changed by others ${MAX_RACES} times while it was saved`);
}

async function identify(writer: Writer, { app, body, objectId }: SaveRequest): Promise<string | undefined> {
  if (objectId !== undefined && (await readInstallation(writer, app, objectId))) return objectId;
  const installationId = body['installationId'];
  if (typeof installationId === 'string' && installationId !== '') return claim(writer, app, installationId);
  return objectId === undefined ? newObjectId() : undefined;
}

/** The objectId that this installationId stands for: the first to ask decides. */
async function claim({ redis, keys }: Writer, app: string, installationId: string): Promise<string> {
  const { key, field } = keys.lookUp(app, 'installationId', installationId);
  const fresh = newObjectId();
  if ((await redis.hsetnx(key, field, fresh)) === 1) return fresh;
  return (await redis.hget(key, field)) ?? fresh;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv';

/** 32 letters and digits, as the hosted service gave them. */
export const newObjectId = (): string =>
  Array.from(randomBytes(32), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

async function trySave(writer: Writer, { app, body, now }: SaveRequest, objectId: string): Promise<Saved | undefined> {
  const read = await readInstallation(writer, app, objectId);
  const next = nextVersion({ objectId, old: read?.stored, body, now });
  await writeLookUps(writer, app, next);
  const written = await replaceInstallation(writer, {
    app,
    objectId,
    oldText: read?.text ?? '',
    old: read?.stored,
    next,
  });
  if (!written) return undefined;
  await clearPreviousLookUps(writer, app, { old: read?.stored, next });
  return { installation: toInstallation(next), isNew: read === undefined };
}

interface Change {
  readonly objectId: string;
  readonly old: StoredInstallation | undefined;
  readonly body: JsonObject;
  readonly now: number;
}

function nextVersion({ objectId, old, body, now }: Change): StoredInstallation {
  const updatedAt = new Date(now).toISOString();
  const { createdAt = updatedAt, ...previous } = old?.doc ?? {};
  const doc = { ...applySave(previous, body), createdAt, updatedAt };
  if (Buffer.byteLength(JSON.stringify(doc)) > MAX_INSTALLATION_BYTES)
    throw new InvalidInput('too-large', `an installation may hold at most ${MAX_INSTALLATION_BYTES} bytes`);
  const sameRegistration = old !== undefined && old.doc['registrationId'] === doc['registrationId' as keyof typeof doc];
  return { objectId, doc, isRetired: sameRegistration && old.isRetired };
}

const lookUpsOf = (stored: StoredInstallation): readonly (readonly [LookUpKind, string])[] =>
  LOOK_UP_KINDS.flatMap((kind) => {
    const value = stored.doc[kind];
    return typeof value === 'string' && value !== '' ? [[kind, value] as const] : [];
  });

/** Written before the record, so that no record is unreachable; a look-up without its record is only a wrong hint. */
async function writeLookUps(writer: Writer, app: string, next: StoredInstallation): Promise<void> {
  await Promise.all(
    lookUpsOf(next).map(async ([kind, value]) => {
      const { key, field } = writer.keys.lookUp(app, kind, value);
      const previous = kind === 'registrationId' ? await writer.redis.hget(key, field) : null;
      if (previous === next.objectId) return;
      if (previous !== null) await clearRegistration(writer, app, { objectId: previous, registrationId: value });
      await writer.redis.hset(key, field, next.objectId);
    }),
  );
}

/** A registrationId that moved to another installation leaves the old one: one device, one message. */
async function clearRegistration(
  writer: Writer,
  app: string,
  owner: { objectId: string; registrationId: string },
): Promise<void> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, owner.objectId);
    if (read?.stored.doc['registrationId'] !== owner.registrationId) return;
    const { registrationId, ...doc } = read.stored.doc;
    const next = { ...read.stored, doc, isRetired: false };
    const change = { app, objectId: owner.objectId, oldText: read.text, old: read.stored, next };
    if (await replaceInstallation(writer, change)) return;
  }
}

async function clearPreviousLookUps(
  { redis, keys }: Writer,
  app: string,
  { old, next }: { old: StoredInstallation | undefined; next: StoredInstallation },
): Promise<void> {
  if (!old) return;
  const stale = lookUpsOf(old).filter(([kind, value]) => next.doc[kind] !== value);
  await Promise.all(
    stale.map(async ([kind, value]) => {
      const { key, field } = keys.lookUp(app, kind, value);
      if ((await redis.hget(key, field)) === next.objectId) await redis.hdel(key, field);
    }),
  );
}

/** Takes a dead registration out of the audience, keeping the installation; does nothing if the device has a new one. */
export async function retireRegistration(
  writer: Writer,
  app: string,
  dead: { objectId: string; registrationId: string },
): Promise<boolean> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, dead.objectId);
    if (!read || read.stored.isRetired || read.stored.doc['registrationId'] !== dead.registrationId) return false;
    const next = { ...read.stored, isRetired: true };
    if (await replaceInstallation(writer, { app, objectId: dead.objectId, oldText: read.text, old: read.stored, next }))
      return true;
  }
  return false;
}

export async function removeInstallation(writer: Writer, app: string, objectId: string): Promise<boolean> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, objectId);
    if (!read) return false;
    const change = { app, objectId, oldText: read.text, old: read.stored, next: undefined };
    if (!(await replaceInstallation(writer, change))) continue;
    await clearPreviousLookUps(writer, app, { old: read.stored, next: { objectId, doc: {}, isRetired: false } });
    return true;
  }
  return false;
}
