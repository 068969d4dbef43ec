import { bytesOf } from './ceiling/bytes-of';
import { changeInstallation } from './change';
import { fieldsByCursor } from '../kit/hash-fields';
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

/** From here the age counts at which one is removed: one that was stale when it came gets its time, too. */
const seenAtOf = (stored: Pick<StoredInstallation, 'doc' | 'importedAt'>): number =>
  Math.max(updatedAtOf(stored), stored.importedAt ?? 0);

const updatedAtOf = ({ doc }: Pick<StoredInstallation, 'doc'>): number => Date.parse(String(doc['updatedAt']));

/**
 * Goes once through a shard; what is saved meanwhile stays. What all of it takes is counted anew, less what was counted before:
 * an earlier release did not count, and what changes meanwhile is counted by who changes it. Rejects at the end, and names them,
 * where records are damaged.
 */
export async function sweepShard(
  writer: Writer,
  { app, shard }: { app: string; shard: number },
  before: SweepBounds,
): Promise<Swept> {
  let [stale, removed, kept, ending] = [0, 0, 0, 0];
  const sizes = new Map<string, number>();
  const damaged = new Set<string>();
  const bytesKey = writer.keys.installationBytes(app, shard);
  const bytesBefore = Number((await writer.redis.get(bytesKey)) ?? 0);
  for await (const records of fieldsByCursor(writer.redis, writer.keys.records(app, shard)))
    for (const [objectId, text] of records) {
      const stored = decodeInstallation(objectId, text, '');
      sizes.set(objectId, bytesOf(text, stored && indexedEntryOf(stored)));
      if (!stored) {
        damaged.add(objectId);
        continue;
      }
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
  await correct(writer, bytesKey, sum([...sizes.values()]) - bytesBefore);
  if (damaged.size > 0) throw damagedRecords([...damaged]);
  return { stale, removed, kept, ending };
}

const MOST_NAMED = 20;

const damagedRecords = (objectIds: readonly string[]): Error =>
  new Error(
    `the records of installations in Redis are damaged, and their devices get no push that looks at them: delete ${objectIds.slice(0, MOST_NAMED).join(', ')}`,
  );

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
