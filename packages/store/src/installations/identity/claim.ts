import { versionOf, isNewer, type Version } from '../import/candidate';
import { readVersion, type RecordVersion } from '../read';
import { followingUpdate, type RegistrationMove, type StoredInstallation } from '../stored';
import { fenceRecord, replaceInstallation, type Writer } from '../write';
import { idIn, type Id } from './ids';
import { newReleaseToken } from './look-ups';
import { PROTOCOL, type Claimer, type Exclusive, type Finding } from './protocol';

export interface Claim {
  readonly app: string;
  /** Of the record that wants the id; what is there was read before, or is known to be nothing. */
  readonly objectId: string;
  readonly kind: Exclusive;
  readonly value: string;
  /** The version that an import brings, or whether a save is the first of its record. */
  readonly by: Version | 'first save' | 'later save';
  /** How often the record was changed by others after it had claimed: the more patience it has with those that go first. */
  readonly races?: number;
  /** The mark that a record gets which loses its registrationId to the app key. */
  readonly lost?: RegistrationMove | undefined;
}

export interface Claimed {
  /** False: another record has the id, and keeps it. */
  readonly isMine: boolean;
  /** By the clock of Redis, in seconds. */
  readonly at: number;
  /** The objectIds of records that had the id before. */
  readonly tookFrom: readonly string[];
}

/** How often what others do with the id meanwhile is looked at again: each time one of them has come further. */
const MAX_LOOKS = 200;
/** Looks at a claim that is not written yet before it is released: its owner is about to write, most likely. */
const PATIENCE = 3;

/** Has the look-up of an id name a record, as the table says. */
export async function claimId(writer: Writer, claim: Claim): Promise<Claimed> {
  const { app, objectId, kind, value } = claim;
  const id = { kind, value };
  const tookFrom: string[] = [];
  let [seen, looks] = ['', 0];
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    const { owner, at } = await writer.askLookUp({ app, step: 'claim', id, objectId });
    if (owner === objectId) return { isMine: true, at, tookFrom };
    const other = await readVersion(writer, app, owner);
    const step = PROTOCOL[kind][findingOf(other, claim)][claimerOf(other, claim)];
    if (step === 'leave') return { isMine: false, at, tookFrom };
    [seen, looks] = [owner, owner === seen ? looks + 1 : 1];
    if (step === 'take') {
      if (await takeFrom(writer, claim, other)) tookFrom.push(owner);
    } else if (looks >= patienceWith(owner, claim)) await releaseUnheld(writer, { app, id, version: other });
  }
  throw new Error(`an ${kind} of app ${app}: claimed by others ${MAX_LOOKS} times meanwhile`);
}

/**
 * Of two that hold one id each and want that of the other, both would release what the other holds, for ever. The one with the
 * greater objectId goes first: each race that the other loses makes it wait longer.
 */
const patienceWith = (owner: string, { objectId, races = 0 }: Claim): number =>
  objectId > owner ? PATIENCE : PATIENCE * (1 + races);

function findingOf({ stored }: RecordVersion, { kind, value }: Claim): Finding {
  if (!stored) return 'names one that is not there';
  return idIn(stored.doc, kind) === value ? 'names one with it' : 'names one without it';
}

function claimerOf({ stored }: RecordVersion, { by }: Claim): Claimer {
  if (typeof by === 'string') return by;
  return stored && isNewer(versionOf(stored), by) ? 'older import' : 'newer import';
}

/** Its record goes, if it had the name of another device; else it goes on without the registrationId. */
function takeFrom(writer: Writer, { app, kind, lost }: Claim, version: RecordVersion): Promise<boolean> {
  const { stored } = version;
  if (!stored || kind === 'installationId') return replaceInstallation(writer, { app, version, next: undefined });
  return replaceInstallation(writer, { app, version, next: withoutRegistration(stored, lost) });
}

function withoutRegistration(stored: StoredInstallation, lost: RegistrationMove | undefined): StoredInstallation {
  const { registrationId: _, ...doc } = stored.doc;
  const updatedAt = followingUpdate(stored);
  return { ...stored, doc: { ...doc, updatedAt }, isRetired: false, ...(lost ? { lost } : {}) };
}

interface Unheld {
  readonly app: string;
  readonly id: Id;
  /** Of a record that does not have the id. */
  readonly version: RecordVersion;
}

/**
 * A look-up says nothing any more of an id that its record does not have. Whoever has claimed it for the record and not written
 * it yet is kept from it by the fence; whoever claims it from now on ends the release.
 */
export async function releaseUnheld(writer: Writer, { app, id, version }: Unheld): Promise<void> {
  const { objectId } = version;
  const { owner, token } = await writer.askLookUp({ app, step: 'leave', id, objectId, token: newReleaseToken() });
  if (owner !== objectId || !(await fenceRecord(writer, app, version))) return;
  await writer.askLookUp({ app, step: 'give-up', id, objectId, token });
}
