import type { JsonObject } from '@pushfleet/domain';
import { amendInstallation } from './amend';
import { holdingVersion } from './holding-version';
import { assertIds, clearLookUps, writeLookUps } from './look-ups';
import { lookUp } from './read';
import { removeInstallation } from './remove';
import type { StoredInstallation } from './stored';
import type { Writer } from './write';

export function nameIn(doc: JsonObject | undefined): string | undefined {
  const name = doc?.['installationId'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

interface Change {
  readonly old: StoredInstallation | undefined;
  readonly next: StoredInstallation;
}

/** The name that a version brings, unless the record has it already. */
function newNameOf({ old, next }: Change): string | undefined {
  const name = nameIn(next.doc);
  return name === nameIn(old?.doc) ? undefined : name;
}

/** Called before a record is written. False when its new name is another's: the first to ask has it. */
export async function claimName(writer: Writer, app: string, change: Change): Promise<boolean> {
  const name = newNameOf(change);
  if (name === undefined) return true;
  const { objectId } = change.next;
  const { key, field } = writer.keys.lookUp(app, 'installationId', name);
  if ((await writer.redis.hsetnx(key, field, objectId)) === 1) return true;
  return (await lookUp(writer, app, ['installationId', name])) === objectId;
}

interface Naming {
  readonly name: string;
  readonly objectId: string;
}

/** A name stands for nobody any more, unless whom it stands for is just getting it. */
export async function forgetName(writer: Writer, app: string, { name, objectId }: Naming): Promise<void> {
  if (await holdingVersion(writer, app, { objectId, kind: 'installationId', id: name })) return;
  await clearLookUps(writer, app, { stored: { objectId, doc: { installationId: name } } });
}

/**
 * Called when a record is written: somebody slower than others wait for may find that its new name has become
 * another's. Then a new record goes, and one that had another name has that again.
 */
export async function keepsName(writer: Writer, app: string, { old, next }: Change): Promise<boolean> {
  const name = newNameOf({ old, next });
  if (name === undefined) return true;
  await writeLookUps(writer, app, { old: next, next });
  if ((await lookUp(writer, app, ['installationId', name])) === next.objectId) return true;
  if (old) await restoreName(writer, app, { old, next });
  else await removeInstallation(writer, app, next.objectId);
  return false;
}

async function restoreName(writer: Writer, app: string, { old, next }: Change): Promise<void> {
  const restored = await amendInstallation(writer, {
    app,
    objectId: next.objectId,
    change(now) {
      const { installationId, ...rest } = now.doc;
      if (installationId !== next.doc['installationId']) return undefined;
      const before = nameIn(old?.doc);
      return { ...now, doc: before === undefined ? rest : { ...rest, installationId: before } };
    },
  });
  if (restored) await assertIds(writer, app, restored);
}
