import { randomBytes } from 'node:crypto';
import type { Producer } from '@pushfleet/queues';
import type { RedisSettings, Store } from '@pushfleet/store';
import type { Attempt } from '../attempts';
import type { Audience } from './audience';
import type { Backlog } from './backlog';
import { waitingDevices } from './waiting-devices';
import type { FleetMetrics } from './fleet-metrics';

export interface WatchPorts {
  readonly store: Pick<Store, 'apps' | 'leases' | 'processes' | 'deviceTotals' | 'installations' | 'pushes' | 'waits'>;
  readonly backlog: Pick<Backlog, 'look'>;
  readonly audience: Pick<Audience, 'look'>;
  readonly queues: readonly Pick<Producer<never>, 'queue' | 'depth'>[];
  readonly memory: () => Promise<readonly RedisSettings[]>;
  readonly metrics: FleetMetrics;
  readonly attempt: Attempt;
  readonly now: () => number;
}

export interface Watch {
  round(): Promise<void>;
  /** Frees the lease, so that another process watches at once. */
  leave(): Promise<void>;
}

const LEASE = 'watch';
/** Rounds that a watcher may miss before another takes over. */
const MISSED_ROUNDS = 3;
const MIN_LEASE_MS = 5000;

/** The dispatcher that holds the lease measures queues, push records and Redis; the others export none of it. */
export function openWatch(ports: WatchPorts, everyMs: number): Watch {
  const { metrics } = ports;
  const { leases } = ports.store;
  const owner = randomBytes(8).toString('hex');
  const lifeMs = Math.max(MIN_LEASE_MS, MISSED_ROUNDS * everyMs);
  return {
    async round() {
      try {
        if (await leases.hold(LEASE, owner, lifeMs)) await lookAround(ports);
        else metrics.clear();
      } catch (error) {
        // Old numbers would hide that measuring failed.
        metrics.clear();
        throw error;
      }
    },
    leave: () => leases.release(LEASE, owner),
  };
}

async function lookAround(ports: WatchPorts): Promise<void> {
  const { store, backlog, audience, queues, memory, metrics, now } = ports;
  const { installations } = store;
  const [depths, view, nodes, processes, totals, columnIndexes, unseen, sizes, appCount] = await Promise.all([
    Promise.all(queues.map(async ({ queue, depth }) => ({ queue, jobs: await depth() }))),
    backlog.look(),
    memory(),
    store.processes.list(),
    store.deviceTotals(),
    installations.columns.all(),
    installations.unseen(),
    audience.look(),
    store.apps.count(),
  ]);
  const indexes = [...columnIndexes.values()].flat();
  const waiting = await waitingDevices(ports, view.largest);
  const reached = { unseen, waiting, audience: sizes };
  metrics.show({ depths, view, nodes, processes, totals, indexes, reached, appCount, now: now() });
}
