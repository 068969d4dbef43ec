import { claimId, releaseUnheld } from '../identity/claim';
import { idIn, idsIn } from '../identity/ids';
import type { Exclusive } from '../identity/protocol';
import { RACED } from '../races';
import { lookUp, readInstallation, readVersion, type RecordVersion } from '../read';
import { followingUpdate, type StoredInstallation } from '../stored';
import { replaceInstallation, type Writer } from '../write';
import { isNewer, versionOf, type Candidate } from './candidate';

export type ImportOutcome = 'created' | 'updated' | 'unchanged' | 'superseded';

/** Stores one installation beside others that have its ids: of all that want one, the newest has it. */
export function importOne(writer: Writer, app: string, candidate: Candidate): Promise<ImportOutcome> {
  const { objectId } = candidate.stored;
  return writer.untilWritten({ app, record: objectId, doing: 'imported' }, async (races) => {
    const version = await readVersion(writer, app, objectId);
    return tryImport(writer, app, { version, candidate, races });
  });
}

interface Attempt {
  readonly version: RecordVersion;
  readonly candidate: Candidate;
  /** Lost before this attempt. */
  readonly races: number;
}

async function tryImport(writer: Writer, app: string, attempt: Attempt): Promise<ImportOutcome | typeof RACED> {
  const { version, candidate, races } = attempt;
  const { stored: old } = version;
  if (old && versionOf(old).updatedAt >= candidate.version.updatedAt) {
    await giveUp(writer, app, attempt);
    return 'unchanged';
  }
  const name = await claim(writer, app, { candidate, kind: 'installationId', races });
  if (!name.isMine) {
    await giveUp(writer, app, attempt);
    return 'superseded';
  }
  const registration = await claim(writer, app, { candidate, kind: 'registrationId', races });
  await pointToken(writer, app, candidate);
  const next = nextVersion(registration.isMine ? candidate.stored : withoutRegistration(candidate.stored), old);
  const claimedAt = Math.min(name.at, registration.at);
  const write = {
    app,
    version,
    next,
    standing: 'confirmed',
    ...(claimedAt === Infinity ? {} : { claimedAt }),
  } as const;
  if (!(await replaceInstallation(writer, write))) return RACED;
  return old ? 'updated' : 'created';
}

interface Wanted {
  readonly candidate: Candidate;
  readonly kind: Exclusive;
  readonly races: number;
}

async function claim(
  writer: Writer,
  app: string,
  { candidate: { stored, version }, kind, races }: Wanted,
): Promise<{ readonly isMine: boolean; readonly at: number }> {
  const value = idIn(stored.doc, kind);
  if (value === undefined) return { isMine: true, at: Infinity };
  return claimId(writer, { app, objectId: stored.objectId, kind, value, by: version, races });
}

/** What was claimed for a version that is not stored: no look-up names the record for it. */
async function giveUp(writer: Writer, app: string, { candidate: { stored } }: Attempt): Promise<void> {
  for (const id of idsIn(stored.doc)) {
    const version = await readVersion(writer, app, stored.objectId);
    if (idIn(version.stored?.doc, id.kind) !== id.value) await releaseUnheld(writer, { app, id, version });
  }
}

/** A word that may pass has passed when the device has saved itself since. */
function nextVersion(next: StoredInstallation, old: StoredInstallation | undefined): StoredInstallation {
  const isSame = old !== undefined && idIn(old.doc, 'registrationId') === idIn(next.doc, 'registrationId');
  return { ...next, isRetired: isSame && old.isRetired && old.struck === undefined };
}

/** As if it had been stored and lost it then: the same document, however the rows were ordered. */
function withoutRegistration(stored: StoredInstallation): StoredInstallation {
  const { registrationId: _, ...doc } = stored.doc;
  return { ...stored, doc: { ...doc, updatedAt: followingUpdate(stored) } };
}

/** A device token may belong to several; a look-up by it finds the newest of them. */
async function pointToken(writer: Writer, app: string, { stored, version }: Candidate): Promise<void> {
  const value = idIn(stored.doc, 'deviceToken');
  if (value === undefined) return;
  const other = await lookUp(writer, app, ['deviceToken', value]);
  const holder = other === undefined ? undefined : await readInstallation(writer, app, other);
  if (holder && idIn(holder.doc, 'deviceToken') === value && isNewer(versionOf(holder), version)) return;
  const id = { kind: 'deviceToken', value } as const;
  await writer.askLookUp({ app, step: 'point', id, objectId: stored.objectId });
}
