import { randomBytes } from 'node:crypto';
import type { Producer } from '@pushfleet/queues';
import type { RedisSettings, Store } from '@pushfleet/store';
import type { Backlog } from './backlog';
import type { FleetMetrics } from './fleet-metrics';

export interface WatchPorts {
  readonly leases: Store['leases'];
  readonly processes: Pick<Store['processes'], 'list'>;
  readonly deviceTotals: Store['deviceTotals'];
  readonly columns: Pick<Store['installations']['columns'], 'all'>;
  readonly installations: Pick<Store['installations'], 'unseen'>;
  readonly backlog: Pick<Backlog, 'look'>;
  readonly queues: readonly Pick<Producer<never>, 'queue' | 'depth'>[];
  readonly memory: () => Promise<readonly RedisSettings[]>;
  readonly metrics: FleetMetrics;
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
  const { leases, metrics } = ports;
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

async function lookAround({
  backlog,
  queues,
  memory,
  processes,
  deviceTotals,
  columns,
  installations,
  metrics,
  now,
}: WatchPorts): Promise<void> {
  const [depths, view, nodes, living, totals, columnIndexes, unseen] = await Promise.all([
    Promise.all(queues.map(async ({ queue, depth }) => ({ queue, jobs: await depth() }))),
    backlog.look(),
    memory(),
    processes.list(),
    deviceTotals(),
    columns.all(),
    installations.unseen(),
  ]);
  const indexes = [...columnIndexes.values()].flat();
  metrics.show({ depths, view, nodes, processes: living, totals, indexes, unseen, now: now() });
}
