import { readInstallation } from './read';
import { removeWhile } from './remove';
import { decodeInstallation, type StoredInstallation } from './stored';
import { replaceInstallation, type Writer } from './write';

/** Milliseconds since the epoch; an installation is measured by its last update. */
export interface SweepBounds {
  readonly stale: number;
  readonly dead: number;
}

export interface Swept {
  /** Taken out of the audience. */
  readonly stale: number;
  readonly removed: number;
}

const SCAN_COUNT = 500;

const updatedAtOf = ({ doc }: Pick<StoredInstallation, 'doc'>): number => Date.parse(String(doc['updatedAt']));

/** Goes once through a shard; what is saved meanwhile stays. */
export async function sweepShard(
  writer: Writer,
  { app, shard }: { app: string; shard: number },
  before: SweepBounds,
): Promise<Swept> {
  let [stale, removed, cursor] = [0, 0, '0'];
  do {
    const [next, flat] = await writer.redis.hscan(writer.keys.records(app, shard), cursor, 'COUNT', SCAN_COUNT);
    for (let i = 0; i < flat.length; i += 2) {
      const stored = decodeInstallation(flat[i] ?? '', flat[i + 1] ?? '', '');
      const updatedAt = updatedAtOf(stored);
      if (updatedAt < before.dead) removed += Number(await removeDead(writer, app, { stored, before }));
      else if (updatedAt < before.stale && stored.bucket !== '')
        stale += Number(await takeOut(writer, app, { stored, before }));
    }
    cursor = next;
  } while (cursor !== '0');
  return { stale, removed };
}

interface Found {
  readonly stored: StoredInstallation;
  readonly before: SweepBounds;
}

const removeDead = (writer: Writer, app: string, { stored: { objectId }, before }: Found): Promise<boolean> =>
  removeWhile(writer, { app, objectId, condition: (old) => old !== undefined && updatedAtOf(old) < before.dead });

/** Somebody who changes the record at the same time has seen the device. */
async function takeOut(writer: Writer, app: string, { stored: { objectId }, before }: Found): Promise<boolean> {
  const read = await readInstallation(writer, app, objectId);
  if (!read || updatedAtOf(read.stored) >= before.stale) return false;
  const next = { ...read.stored, isStale: true };
  return replaceInstallation(writer, { app, objectId, oldText: read.text, old: read.stored, next });
}
