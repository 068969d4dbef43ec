import { readVersion } from './read';
import type { IndexedInstallation, StoredInstallation } from './stored';
import { MAX_RACES, pauseAfter, replaceInstallation, type Writer } from './write';

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
export async function changeInstallation(
  writer: Writer,
  app: string,
  { objectId, next, announce }: Change,
): Promise<boolean> {
  for (let races = 0; races < MAX_RACES; races += 1) {
    await pauseAfter(races);
    const version = await readVersion(writer, app, objectId);
    const changed = version.stored && next(version.stored);
    if (!changed) return false;
    await announce?.(version.stored, changed);
    if (await replaceInstallation(writer, { app, version, next: changed })) return true;
  }
  throw new Error(`an installation of app ${app}: changed by others ${MAX_RACES} times while it was to be changed`);
}
