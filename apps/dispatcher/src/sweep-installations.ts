import { DAY_MS } from '@pushfleet/domain';
import { SHARDS, type Store } from '@pushfleet/store';

export interface SweepPorts {
  readonly store: {
    readonly apps: Pick<Store['apps'], 'list'>;
    readonly installations: Pick<Store['installations'], 'claimSweep' | 'sweep' | 'noteUnseen' | 'columnNames'>;
  };
  readonly now: () => number;
  /** An app whose sweep is cut off is swept from the start after its claim. */
  readonly stopping: AbortSignal;
}

/** So long before its removal, the metrics tell of an installation. */
const ENDING_MS = 30 * DAY_MS;

export interface SweepRules {
  /** An installation that was not updated for so long leaves the audience. */
  readonly staleMs: number;
  /** An installation that was not updated for so long is removed. */
  readonly deadMs: number;
  readonly everyMs: number;
}

/** Sweeps the installations of every app that was not swept recently; the dispatchers share the apps. */
export async function sweepInstallations(
  { store, now, stopping }: SweepPorts,
  { staleMs, deadMs, everyMs }: SweepRules,
): Promise<{ readonly stale: number; readonly removed: number }> {
  let [stale, removed] = [0, 0];
  for (const { id } of await store.apps.list()) {
    if (stopping.aborted || !(await store.installations.claimSweep(id, everyMs))) continue;
    const dead = now() - deadMs;
    const columns = await store.installations.columnNames.collect(id);
    const before = { stale: now() - staleMs, dead, ending: dead + ENDING_MS, columns };
    const unseen = { kept: 0, ending: 0 };
    let shard = 0;
    for (; shard < SHARDS && !stopping.aborted; shard += 1) {
      const swept = await store.installations.sweep(id, shard, before);
      stale += swept.stale;
      removed += swept.removed;
      unseen.kept += swept.kept;
      unseen.ending += swept.ending;
    }
    if (shard < SHARDS) continue;
    await store.installations.noteUnseen(id, unseen);
    await columns.keep();
  }
  return { stale, removed };
}
