import { readInstallation } from './read';
import { followingUpdate, type IndexedInstallation, type StoredInstallation } from './stored';
import { MAX_RACES, replaceInstallation, type Writer } from './write';

export interface Amendment {
  readonly app: string;
  readonly objectId: string;
  /** What becomes of the version that is there, stamped as its successor; undefined leaves it as it is. */
  readonly change: (now: IndexedInstallation) => StoredInstallation | undefined;
}

/** The version that was written; undefined when there is nothing to change. */
export async function amendInstallation(
  writer: Writer,
  { app, objectId, change }: Amendment,
): Promise<StoredInstallation | undefined> {
  for (let race = 0; race < MAX_RACES; race += 1) {
    const read = await readInstallation(writer, app, objectId);
    const changed = read && change(read.stored);
    if (!changed) return undefined;
    const next = { ...changed, doc: { ...changed.doc, updatedAt: followingUpdate(read.stored) } };
    if (await replaceInstallation(writer, { app, objectId, oldText: read.text, old: read.stored, next })) return next;
  }
  return undefined;
}
