import { DAY_MS } from '@pushfleet/domain';
import { SHARDS, type Store } from '@pushfleet/store';
import type { Attempt } from './attempts';

export interface SweepPorts {
  readonly store: {
    readonly apps: Pick<Store['apps'], 'list'>;
    readonly installations: Pick<Store['installations'], 'claimSweep' | 'sweep' | 'noteUnseen' | 'columnNames'>;
  };
  readonly now: () => number;
  /** An app whose sweep is cut off is swept from the start after its claim. */
  readonly stopping: AbortSignal;
  readonly attempt: Attempt;
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

interface Swept {
  readonly stale: number;
  readonly removed: number;
}

/** Sweeps the installations of every app that was not swept recently; the dispatchers share the apps. */
export async function sweepInstallations(ports: SweepPorts, rules: SweepRules): Promise<Swept> {
  let [stale, removed] = [0, 0];
  for (const { id: app } of await ports.store.apps.list()) {
    if (ports.stopping.aborted) break;
    const swept = await ports.attempt({ app }, () => sweepApp(ports, app, rules));
    stale += swept?.stale ?? 0;
    removed += swept?.removed ?? 0;
  }
  return { stale, removed };
}

/** Undefined when the app was swept recently. */
async function sweepApp(
  { store: { installations }, now, stopping }: SweepPorts,
  app: string,
  { staleMs, deadMs, everyMs }: SweepRules,
): Promise<Swept | undefined> {
  if (!(await installations.claimSweep(app, everyMs))) return undefined;
  const dead = now() - deadMs;
  const columns = await installations.columnNames.collect(app);
  const before = { stale: now() - staleMs, dead, ending: dead + ENDING_MS, columns };
  const sum = { stale: 0, removed: 0, kept: 0, ending: 0 };
  let shard = 0;
  for (; shard < SHARDS && !stopping.aborted; shard += 1) {
    const swept = await installations.sweep(app, shard, before);
    sum.stale += swept.stale;
    sum.removed += swept.removed;
    sum.kept += swept.kept;
    sum.ending += swept.ending;
  }
  if (shard === SHARDS) {
    await installations.noteUnseen(app, { kept: sum.kept, ending: sum.ending });
    await columns.keep();
  }
  return sum;
}
