import { holdingVersion } from './holding-version';
import { isNewer, versionOf, type Candidate } from './imported';
import { clearLookUps, writeLookUps } from './look-ups';
import { lookUp, readInstallation, type ReadInstallation } from './read';
import { followingUpdate, type StoredInstallation } from './stored';
import { giveBack, idOf, keepsIds, takeId, type Taken } from './take-id';
import { MAX_RACES, replaceInstallation, type Writer } from './write';

export type ImportOutcome = 'created' | 'updated' | 'unchanged' | 'superseded';

/** Stores one installation beside others that have its ids: of all that want one, the newest has it. */
export async function importOne(writer: Writer, app: string, candidate: Candidate): Promise<ImportOutcome> {
  const taken: Taken[] = [];
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, candidate.stored.objectId);
    const outcome = await tryImport(writer, app, { read, candidate, taken });
    if (outcome) return outcome;
  }
  throw new Error(`an installation of app ${app}: changed by others ${MAX_RACES} times while it was imported`);
}

interface Attempt {
  readonly read: ReadInstallation | undefined;
  readonly candidate: Candidate;
  /** By this attempt and those before. */
  readonly taken: Taken[];
}

/** Undefined when somebody else was faster. */
async function tryImport(writer: Writer, app: string, attempt: Attempt): Promise<ImportOutcome | undefined> {
  const { read, candidate, taken } = attempt;
  if (read && versionOf(read.stored).updatedAt >= candidate.version.updatedAt) {
    return (await giveUp(writer, app, attempt)) ? 'unchanged' : 'superseded';
  }
  const name = await takeId(writer, app, { kind: 'installationId', candidate });
  if (!name) {
    await giveUp(writer, app, attempt);
    return 'superseded';
  }
  taken.push(name);
  const next = await write(writer, app, attempt);
  if (!next) return undefined;
  if (!(await keepsIds(writer, app, next))) return 'superseded';
  return read ? 'updated' : 'created';
}

/**
 * The ids of a version that is not stored go back to whom they were taken from. A save may have stored the installation
 * with them a moment before: false when there is none, or when it had to go.
 */
async function giveUp(writer: Writer, app: string, { read, candidate, taken }: Attempt): Promise<boolean> {
  for (const one of taken) if (read?.stored.doc[one.kind] !== one.id) await giveBack(writer, app, one);
  const { stored } = candidate;
  await clearLookUps(writer, app, read ? { stored, kept: read.stored } : { stored });
  const now = await readInstallation(writer, app, stored.objectId);
  return now !== undefined && keepsIds(writer, app, now.stored);
}

async function write(
  writer: Writer,
  app: string,
  { read, candidate, taken }: Attempt,
): Promise<StoredInstallation | undefined> {
  const { objectId } = candidate.stored;
  const old = read?.stored;
  const registration = await takeId(writer, app, { kind: 'registrationId', candidate });
  if (registration) taken.push(registration);
  const next = nextVersion(registration ? candidate.stored : withoutRegistration(candidate.stored), old);
  await pointTokenToNewest(writer, app, candidate);
  // Every id is taken by now: writing the look-ups must not take one again from whoever has it since.
  await writeLookUps(writer, app, { old: next, next });
  const change = { app, objectId, oldText: read?.text ?? '', old, next, standing: 'confirmed' } as const;
  if (!(await replaceInstallation(writer, change))) return undefined;
  if (old) await clearLookUps(writer, app, { stored: old, kept: next });
  return next;
}

function nextVersion(next: StoredInstallation, old: StoredInstallation | undefined): StoredInstallation {
  const isSame = old !== undefined && idOf(old, 'registrationId') === idOf(next, 'registrationId');
  return { ...next, isRetired: isSame && old.isRetired };
}

/** As if it had been stored and lost it then: the same document, however the rows were ordered. */
function withoutRegistration(stored: StoredInstallation): StoredInstallation {
  const { registrationId: _, ...doc } = stored.doc;
  return { ...stored, doc: { ...doc, updatedAt: followingUpdate(stored) } };
}

/** A device token may belong to several; a look-up by it finds the newest of them. */
async function pointTokenToNewest(writer: Writer, app: string, { stored, version }: Candidate): Promise<void> {
  const token = idOf(stored, 'deviceToken');
  if (token === '') return;
  const other = await lookUp(writer, app, ['deviceToken', token]);
  if (other === stored.objectId) return;
  const holder =
    other === undefined
      ? undefined
      : await holdingVersion(writer, app, { objectId: other, kind: 'deviceToken', id: token });
  if (holder && isNewer(holder, version)) return;
  const { key, field } = writer.keys.lookUp(app, 'deviceToken', token);
  await writer.redis.hset(key, field, stored.objectId);
}
