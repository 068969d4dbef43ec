import type { LookUpKind } from '../keys';
import { defineScript, runScript } from '../redis';
import { amendInstallation } from './amend';
import { lookUp, readInstallation } from './read';
import type { RegistrationMove, StoredInstallation } from './stored';
import { MAX_RACES, replaceInstallation, type Writer } from './write';

const LOOK_UP_KINDS: readonly LookUpKind[] = ['installationId', 'deviceToken', 'registrationId'];

export const lookUpsOf = (stored: Pick<StoredInstallation, 'doc'>): readonly (readonly [LookUpKind, string])[] =>
  LOOK_UP_KINDS.flatMap((kind) => {
    const value = stored.doc[kind];
    return typeof value === 'string' && value !== '' ? [[kind, value] as const] : [];
  });

interface Change {
  readonly old: StoredInstallation | undefined;
  readonly next: StoredInstallation;
}

/**
 * Written before the record, so that no record is unreachable; a look-up without its record is only a wrong hint.
 * Values that the save did not bring are never taken from others: what was read may be out of date. An installationId
 * is never taken from another at all. Resolves with the objectIds of the records that lost their registrationId.
 */
export async function writeLookUps(
  writer: Writer,
  app: string,
  { old, next, isClient = false }: Change & { readonly isClient?: boolean },
): Promise<readonly string[]> {
  const { objectId, doc } = next;
  const losers = await Promise.all(
    lookUpsOf(next).map(async ([kind, value]) => {
      const { key, field } = writer.keys.lookUp(app, kind, value);
      if (kind === 'registrationId' && old?.doc[kind] !== value) {
        const lost = isClient ? { objectId, at: String(doc['updatedAt']) } : undefined;
        return takeRegistration(writer, app, { objectId, registrationId: value, lost });
      }
      if (kind === 'deviceToken' && old?.doc[kind] !== value) await writer.redis.hset(key, field, objectId);
      else await writer.redis.hsetnx(key, field, objectId);
      return [];
    }),
  );
  return losers.flat();
}

interface Registration {
  readonly objectId: string;
  readonly registrationId: string;
  /** The mark that a record gets which loses it to the app key. */
  readonly lost?: RegistrationMove | undefined;
}

/** Sets a field and answers what it held. */
const takeScript = defineScript(`
local previous = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return previous`);

/**
 * A registrationId that moves to another installation leaves the old one: one device, one message. The old owner is
 * cleared before the look-up stops naming him, so that a crash leaves a trace of him, and again after it, because he
 * may have been writing at that moment.
 */
async function takeRegistration(writer: Writer, app: string, wanted: Registration): Promise<readonly string[]> {
  const { objectId, registrationId, lost } = wanted;
  const losers = new Set<string>();
  const clearUnlessMine = async (owner: string | null | undefined): Promise<void> => {
    if (typeof owner !== 'string' || owner === objectId) return;
    if (await clearRegistration(writer, app, { objectId: owner, registrationId, lost })) losers.add(owner);
  };
  await clearUnlessMine(await lookUp(writer, app, ['registrationId', registrationId]));
  const { key, field } = writer.keys.lookUp(app, 'registrationId', registrationId);
  const previous = await runScript(writer.redis, takeScript, { keys: [key], args: [field, objectId] });
  await clearUnlessMine(previous as string | null);
  return [...losers];
}

/**
 * Sets a field that is not there, and answers what it holds. Between two commands its owner may give it up: then the
 * look-up would name nobody, and the next to take the registrationId would not find the record that has it.
 */
const settleScript = defineScript(`
redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
return redis.call('HGET', KEYS[1], ARGV[1])`);

/**
 * Called when the record is written: of installations that save one registrationId at the same time, the one that the
 * look-up names keeps it. One that had it before gives it up only to an owner whose record has it.
 */
export async function settleRegistration(writer: Writer, app: string, { old, next }: Change): Promise<void> {
  const registrationId = next.doc['registrationId'];
  if (typeof registrationId !== 'string' || registrationId === '') return;
  const { key, field } = writer.keys.lookUp(app, 'registrationId', registrationId);
  const { objectId } = next;
  const owner = String(await runScript(writer.redis, settleScript, { keys: [key], args: [field, objectId] }));
  if (owner === objectId) return;
  const hadIt = old?.doc['registrationId'] === registrationId;
  if (hadIt && !(await holds(writer, app, { objectId: owner, registrationId }))) return;
  await clearRegistration(writer, app, { objectId, registrationId });
}

async function holds(writer: Writer, app: string, { objectId, registrationId }: Registration): Promise<boolean> {
  return (await readInstallation(writer, app, objectId))?.stored.doc['registrationId'] === registrationId;
}

export async function clearRegistration(
  writer: Writer,
  app: string,
  { objectId, registrationId, lost }: Registration,
): Promise<boolean> {
  const cleared = await amendInstallation(writer, {
    app,
    objectId,
    change(now) {
      const { registrationId: held, ...doc } = now.doc;
      return held === registrationId ? { ...now, doc, isRetired: false, ...(lost ? { lost } : {}) } : undefined;
    },
  });
  return cleared !== undefined;
}

const clearScript = defineScript(
  `if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('HDEL', KEYS[1], ARGV[1]) end return 0`,
);

/** Removes the look-ups that a newer version does not have and that nobody else took over. */
export async function clearLookUps(
  writer: Writer,
  app: string,
  { stored, kept }: { stored: Pick<StoredInstallation, 'objectId' | 'doc'>; kept?: StoredInstallation },
): Promise<void> {
  const { objectId } = stored;
  const stale = lookUpsOf(stored).filter(([kind, value]) => kept?.doc[kind] !== value);
  const cleared = await Promise.all(
    stale.map(([kind, value]) => {
      const { key, field } = writer.keys.lookUp(app, kind, value);
      return runScript(writer.redis, clearScript, { keys: [key], args: [field, objectId] });
    }),
  );
  if (!cleared.includes(1)) return;
  // Another save of the same installation may have brought a value back a moment before its look-up went.
  const now = await readInstallation(writer, app, objectId);
  if (now && stale.some(([kind, value]) => now.stored.doc[kind] === value)) await assertIds(writer, app, now.stored);
}

/** Look-ups name a record again that may have lost them for a while; what others got meanwhile is theirs. */
export async function assertIds(writer: Writer, app: string, stored: StoredInstallation): Promise<void> {
  await writeLookUps(writer, app, { old: stored, next: stored });
  if (await giveUpName(writer, app, stored.objectId)) return;
  await settleRegistration(writer, app, { old: undefined, next: stored });
}

/** An installationId may have been given to another while its look-up was gone: then this record goes. */
async function giveUpName(writer: Writer, app: string, objectId: string): Promise<boolean> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, objectId);
    const name = read?.stored.doc['installationId'];
    if (!read || typeof name !== 'string' || name === '') return false;
    const owner = await lookUp(writer, app, ['installationId', name]);
    if (owner === undefined || owner === objectId) return false;
    const change = { app, objectId, oldText: read.text, old: read.stored, next: undefined };
    if (!(await replaceInstallation(writer, change))) continue;
    await clearLookUps(writer, app, { stored: read.stored });
    return true;
  }
  return false;
}
