import { addEntries, type Addition, type IndexParts } from './entries';
import { DOUBT_MS } from './stale-entries';

/**
 * Writes records whose new subscriptions stand in the index before, so that a crash leaves an entry that names nobody and
 * no subscriber without one. Behind a write that took long the entries may have been cleared as such: they are added again.
 */
export async function writeIndexed<T>(
  parts: IndexParts,
  app: string,
  { entries, write }: { readonly entries: Addition['entries']; readonly write: () => Promise<T> },
): Promise<T> {
  if (entries.size === 0) return write();
  const addedAt = performance.now();
  await addEntries(parts, app, { entries, isBefore: true });
  const written = await write();
  if (performance.now() - addedAt > DOUBT_MS / 4) await addEntries(parts, app, { entries, isBefore: true });
  return written;
}
