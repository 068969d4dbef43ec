import { setTimeout as delay } from 'node:timers/promises';
import type { LookUpKind } from '../keys';
import { defineScript, runScript } from '../redis';
import { holdingVersion, holdingVersionNow, SETTLE_MS } from './holding-version';
import { isNewer, versionOf, type Candidate } from './imported';
import { clearRegistration, lookUpsOf } from './look-ups';
import { lookUp, readInstallation } from './read';
import { removeInstallation, removeWhile } from './remove';
import type { StoredInstallation } from './stored';
import { MAX_RACES, type Writer } from './write';

/** An id that one installation has at a time. */
type ExclusiveKind = Exclude<LookUpKind, 'deviceToken'>;

/** Lets a field name another if it still names whom it did. KEYS hash; ARGV field, from ('': nobody), to. */
const renameScript = defineScript(`
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`);

export const idOf = ({ doc }: Pick<StoredInstallation, 'doc'>, kind: LookUpKind): string => {
  const found = lookUpsOf({ doc }).find(([name]) => name === kind);
  return found ? found[1] : '';
};

/** What naming another in a look-up took from whom. */
export interface Taken {
  readonly kind: ExclusiveKind;
  readonly id: string;
  readonly objectId: string;
  /** The objectId that the look-up named before; '' for nobody. */
  readonly other: string;
}

interface Wanted {
  readonly kind: ExclusiveKind;
  readonly candidate: Candidate;
}

/**
 * The look-up of the id names this installation afterwards, and an older one that has it has it no more. Undefined when
 * a newer one has it.
 */
export async function takeId(writer: Writer, app: string, { kind, candidate }: Wanted): Promise<Taken | undefined> {
  const { objectId } = candidate.stored;
  const id = idOf(candidate.stored, kind);
  if (id === '') return { kind, id, objectId, other: '' };
  for (let race = 0; race < MAX_RACES; race += 1) {
    const other = await ownerOf(writer, app, [kind, id]);
    const taken = { kind, id, objectId, other: other === objectId ? '' : other };
    if (other === objectId) return taken;
    const rivalry = { candidate, kind, id, other };
    if (!(await prevails(writer, app, rivalry))) return undefined;
    if (!(await rename(writer, app, taken))) continue;
    // The other may have written his record after it was looked for, and before the look-up stopped naming him.
    if (await prevails(writer, app, rivalry)) return taken;
    await giveBack(writer, app, taken);
    return undefined;
  }
  throw new Error(`an ${kind} of app ${app}: taken by others ${MAX_RACES} times while it was imported`);
}

/** A look-up that is being cleared is back at once when its installation still has the id. */
async function ownerOf(writer: Writer, app: string, id: readonly [ExclusiveKind, string]): Promise<string> {
  const owner = await lookUp(writer, app, id);
  if (owner !== undefined) return owner;
  await delay(SETTLE_MS);
  return (await lookUp(writer, app, id)) ?? '';
}

async function rename(writer: Writer, app: string, { kind, id, objectId, other }: Taken): Promise<boolean> {
  const { key, field } = writer.keys.lookUp(app, kind, id);
  return (await runScript(writer.redis, renameScript, { keys: [key], args: [field, other, objectId] })) === 1;
}

/** Whoever took the look-up since does not know that the other has the id: the other is to see it now. */
export async function giveBack(writer: Writer, app: string, { kind, id, objectId, other }: Taken): Promise<void> {
  if (other === '' || (await rename(writer, app, { kind, id, objectId: other, other: objectId }))) return;
  const read = await readInstallation(writer, app, other);
  if (read?.stored.doc[kind] === id) await keepsIds(writer, app, read.stored);
}

/**
 * Called when the record is written: another may have taken its ids meanwhile, or an import that was cut off may have
 * left this undone. False when its name is another's; then it is removed.
 */
export async function keepsIds(writer: Writer, app: string, stored: StoredInstallation): Promise<boolean> {
  const candidate = { stored, version: versionOf(stored) };
  if (!(await takeId(writer, app, { kind: 'installationId', candidate }))) {
    await removeInstallation(writer, app, stored.objectId);
    return false;
  }
  if (await takeId(writer, app, { kind: 'registrationId', candidate })) return true;
  const { objectId } = stored;
  await clearRegistration(writer, app, { objectId, registrationId: idOf(stored, 'registrationId') });
  return true;
}

interface Rivalry {
  readonly candidate: Candidate;
  readonly kind: ExclusiveKind;
  readonly id: string;
  /** The objectId that the look-up names; '' for nobody. */
  readonly other: string;
}

/** Whether the other does not have the id, or does not have it any more. */
async function prevails(writer: Writer, app: string, { candidate, kind, id, other }: Rivalry): Promise<boolean> {
  if (other === '') return true;
  const holding = { objectId: other, kind, id };
  // Looked at again after it was taken from him: he may have become newer at that moment.
  for (let race = 0; race < MAX_RACES; race += 1) {
    const version = await (race === 0 ? holdingVersion : holdingVersionNow)(writer, app, holding);
    if (!version) return true;
    if (isNewer(version, candidate.version)) return false;
    await takeFromOlder(writer, app, { candidate, kind, id, other });
  }
  return false;
}

async function takeFromOlder(writer: Writer, app: string, { candidate, kind, id, other }: Rivalry): Promise<void> {
  if (kind === 'registrationId') {
    await clearRegistration(writer, app, { objectId: other, registrationId: id });
    return;
  }
  const isOlder = (old: StoredInstallation | undefined): boolean =>
    old?.doc[kind] === id && isNewer(candidate.version, versionOf(old));
  await removeWhile(writer, { app, objectId: other, condition: isOlder });
}
