import { DAY_MS } from '@pushfleet/domain';
import { SHARDS, underLease, type Store } from '@pushfleet/store';
import type { Attempt } from './attempts';

export interface SweepPorts {
  readonly store: {
    readonly apps: Pick<Store['apps'], 'ids'>;
    readonly leases: Store['leases'];
    readonly installations: Pick<
      Store['installations'],
      'isSwept' | 'sweep' | 'noteUnseen' | 'columnNames' | 'noteSwept'
    >;
    readonly messaging: { readonly bindings: Pick<Store['messaging']['bindings'], 'sweep'> };
  };
  readonly now: () => number;
  /** An app whose sweep is cut off, or fails for a shard, is swept from the start in the next round. */
  readonly stopping: AbortSignal;
  readonly attempt: Attempt;
  readonly onLeaseError: (error: unknown) => void;
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
  for (const app of await ports.store.apps.ids()) {
    if (ports.stopping.aborted) break;
    const swept = await ports.attempt({ app }, () => sweepApp(ports, app, rules));
    stale += swept?.stale ?? 0;
    removed += swept?.removed ?? 0;
  }
  return { stale, removed };
}

/** Undefined when the app was swept recently, or another process sweeps it. */
async function sweepApp(ports: SweepPorts, app: string, rules: SweepRules): Promise<Swept | undefined> {
  const { installations, leases } = ports.store;
  let swept: Swept | undefined;
  await underLease({ leases, name: `sweep ${app}`, onError: ports.onLeaseError }, async (lost) => {
    if (await installations.isSwept(app)) return;
    const stopping = AbortSignal.any([ports.stopping, lost]);
    swept = await sweepShards({ ...ports, stopping }, app, rules);
  });
  return swept;
}

/** The app counts as swept when all of its shards were. */
async function sweepShards(
  { store: { apps, installations, messaging }, now, stopping, attempt }: SweepPorts,
  app: string,
  { staleMs, deadMs, everyMs }: SweepRules,
): Promise<Swept> {
  const dead = now() - deadMs;
  const columns = await installations.columnNames.collect(app);
  const before = { stale: now() - staleMs, dead, ending: dead + ENDING_MS, columns };
  const sum = { stale: 0, removed: 0, kept: 0, ending: 0 };
  let whole = 0;
  for (let shard = 0; shard < SHARDS && !stopping.aborted; shard += 1) {
    const swept = await attempt({ app, shard }, async () => {
      await messaging.bindings.sweep(app, { shard, now: now() });
      return installations.sweep(app, shard, before);
    });
    if (swept === undefined) continue;
    whole += 1;
    sum.stale += swept.stale;
    sum.removed += swept.removed;
    sum.kept += swept.kept;
    sum.ending += swept.ending;
  }
  // What is noted of an app behind its deletion stays; what is noted at its beginning goes with the rest.
  if (whole === SHARDS && (await apps.ids()).includes(app)) {
    await installations.noteUnseen(app, { kept: sum.kept, ending: sum.ending });
    await columns.keep();
    await installations.noteSwept(app, everyMs);
  }
  return sum;
}
