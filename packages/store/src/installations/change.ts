import { readVersion } from './read';
import { RACED } from './races';
import type { IndexedInstallation, StoredInstallation } from './stored';
import { replaceInstallation, type Writer } from './write';

export interface Change {
  readonly objectId: string;
  /** The next version; undefined leaves the present one. */
  readonly next: (now: IndexedInstallation) => StoredInstallation | undefined;
  /** Called before a change is written, and again before the next try. */
  readonly announce?: (now: IndexedInstallation, changed: StoredInstallation) => Promise<void>;
}

/**
 * Changes an installation as it is at that moment; the change is looked at again when the write was refused, because another
 * came first or because a column is indexed that its writer did not know. False when nothing was to change.
 */
export function changeInstallation(
  writer: Writer,
  app: string,
  { objectId, next, announce }: Change,
): Promise<boolean> {
  return writer.untilWritten({ app, record: objectId, doing: 'to be changed' }, async () => {
    const version = await readVersion(writer, app, objectId);
    const changed = version.stored && next(version.stored);
    if (!changed) return false;
    await announce?.(version.stored, changed);
    return (await replaceInstallation(writer, { app, version, next: changed })) ? true : RACED;
  });
}
