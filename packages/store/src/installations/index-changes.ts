import type { RouteBucket } from '@pushfleet/domain';
import { columnTermsOf } from './column-index/terms';
import { placeOf } from './placement';
import { indexedEntryOf, type IndexedInstallation, type IndexEntry, type StoredInstallation } from './stored';
import type { Writer } from './write';

export interface NextVersion {
  /** Absent: there is none yet. */
  readonly old: IndexedInstallation | undefined;
  readonly next: StoredInstallation;
}

/**
 * How many subscriptions and indexed values another version adds, removes or moves: what a save costs Redis beside what every
 * save does. Subscriptions stand by bucket, so that all of them move to another one.
 */
export async function indexChanges(writer: Writer, app: string, { old, next }: NextVersion): Promise<number> {
  const { columns } = await writer.columns.of(app);
  const indexed = (entry: IndexEntry | undefined, { doc }: Pick<StoredInstallation, 'doc'>): Indexed =>
    entry ? { ...entry, values: columnTermsOf(doc, columns) } : NOWHERE;
  const before = old ? indexed(indexedEntryOf(old), old) : NOWHERE;
  const now = indexed(await placeOf(writer, app, next), next);
  const channels = counted(before.channels, now.channels);
  const values = counted(before.values, now.values);
  return channels.changed + values.changed + (before.bucket === now.bucket ? 0 : channels.kept);
}

interface Indexed {
  readonly bucket: RouteBucket;
  readonly channels: readonly string[];
  readonly values: readonly string[];
}

const NOWHERE: Indexed = { bucket: '', channels: [], values: [] };

function counted(before: readonly string[], now: readonly string[]): Readonly<Record<'changed' | 'kept', number>> {
  const [were, are] = [new Set(before), new Set(now)];
  const kept = [...are].filter((one) => were.has(one)).length;
  return { kept, changed: were.size + are.size - 2 * kept };
}
