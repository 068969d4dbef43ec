import { bytesOf } from './ceiling/bytes-of';
import { changeInstallation } from './change';
import type { CollectedColumns } from './column-names';
import { removeWhile } from './remove';
import { decodeInstallation, indexedEntryOf, type StoredInstallation } from './stored';
import type { Writer } from './write';

/** Milliseconds since the epoch; an installation is measured by its last update. */
export interface SweepBounds {
  readonly stale: number;
  readonly dead: number;
  /** What was seen before this and after `dead` is removed soon. */
  readonly ending: number;
  /** Is given the columns of what stays. */
  readonly columns?: Pick<CollectedColumns, 'add'>;
}

export interface Swept {
  /** Taken out of the audience. */
  readonly stale: number;
  readonly removed: number;
  /** Those that stay, and are no targets because they are stale. */
  readonly kept: number;
  /** Of these, those that are removed soon. */
  readonly ending: number;
}

const SCAN_COUNT = 500;

/** From here the age counts at which one is removed: one that was stale when it came gets its time, too. */
const seenAtOf = (stored: Pick<StoredInstallation, 'doc' | 'importedAt'>): number =>
  Math.max(updatedAtOf(stored), stored.importedAt ?? 0);

const updatedAtOf = ({ doc }: Pick<StoredInstallation, 'doc'>): number => Date.parse(String(doc['updatedAt']));

/**
 * Goes once through a shard; what is saved meanwhile stays. What all of it takes is counted anew, less what was counted before:
 * an earlier release did not count, and what changes meanwhile is counted by who changes it.
 */
export async function sweepShard(
  writer: Writer,
  { app, shard }: { app: string; shard: number },
  before: SweepBounds,
): Promise<Swept> {
  let [stale, removed, kept, ending, cursor] = [0, 0, 0, 0, '0'];
  // By objectId: a scan may name an entry twice while the hash grows or shrinks.
  const sizes = new Map<string, number>();
  const bytesKey = writer.keys.installationBytes(app, shard);
  const bytesBefore = Number((await writer.redis.get(bytesKey)) ?? 0);
  do {
    const [next, flat] = await writer.redis.hscan(writer.keys.records(app, shard), cursor, 'COUNT', SCAN_COUNT);
    for (let i = 0; i < flat.length; i += 2) {
      const text = flat[i + 1] ?? '';
      const stored = decodeInstallation(flat[i] ?? '', text, '');
      sizes.set(stored.objectId, bytesOf(text, indexedEntryOf(stored)));
      const seenAt = seenAtOf(stored);
      if (seenAt < before.dead) {
        removed += Number(await removeDead(writer, app, { stored, before }));
        continue;
      }
      collect({ stored, before });
      if (updatedAtOf(stored) >= before.stale) continue;
      if (stored.bucket !== '') stale += Number(await takeOut(writer, app, { stored, before }));
      kept += 1;
      ending += Number(seenAt < before.ending);
    }
    cursor = next;
  } while (cursor !== '0');
  await correct(writer, bytesKey, sum([...sizes.values()]) - bytesBefore);
  return { stale, removed, kept, ending };
}

async function correct({ redis }: Writer, key: string, by: number): Promise<void> {
  if (by !== 0) await redis.incrby(key, by);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

interface Found {
  readonly stored: StoredInstallation;
  readonly before: SweepBounds;
}

const collect = ({ stored, before }: Found): void => before.columns?.add(stored.doc);

async function removeDead(writer: Writer, app: string, found: Found): Promise<boolean> {
  const { objectId } = found.stored;
  const isDead = (old: StoredInstallation | undefined): boolean =>
    old !== undefined && seenAtOf(old) < found.before.dead;
  const isRemoved = await removeWhile(writer, { app, objectId, condition: isDead });
  if (!isRemoved) collect(found);
  return isRemoved;
}

/** Somebody who changes the record at the same time may have seen the device: it is looked at again. */
const takeOut = (writer: Writer, app: string, { stored: { objectId }, before }: Found): Promise<boolean> =>
  changeInstallation(writer, app, {
    objectId,
    next: (now) => (now.bucket === '' || updatedAtOf(now) >= before.stale ? undefined : { ...now, isStale: true }),
  });
