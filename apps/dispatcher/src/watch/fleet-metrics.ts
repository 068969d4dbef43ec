import type { Metrics } from '@pushfleet/service-kit';
import { PUSH_REQUESTS, PUSH_SCHEDULE } from '@pushfleet/queues';
import type { ColumnIndex, FleetProcess, RedisSettings, Total } from '@pushfleet/store';
import type { BacklogView } from './backlog';
import { deviceMetrics } from './device-metrics';
import { reachMetrics, type ReachView } from './reach-metrics';

export interface FleetView {
  readonly depths: readonly { readonly queue: string; readonly jobs: Readonly<Record<string, number>> }[];
  readonly view: BacklogView;
  readonly nodes: readonly RedisSettings[];
  readonly processes: readonly FleetProcess[];
  readonly totals: readonly Total[];
  readonly indexes: readonly ColumnIndex[];
  readonly reached: ReachView;
  readonly now: number;
}

export type FleetMetrics = ReturnType<typeof fleetMetrics>;

const isOfPushes = (queue: string): boolean =>
  queue === PUSH_REQUESTS || queue === PUSH_SCHEDULE || queue.startsWith('channel-');

/** Exported by the one dispatcher that watches: every gauge has a label, so that the others export nothing. */
export function fleetMetrics({ gauge, counter }: Pick<Metrics, 'gauge' | 'counter'>) {
  const jobs = gauge({
    name: 'pushfleet_queue_jobs',
    help: 'Unfinished jobs, by state: waiting, active, delayed, or paused.',
    labelNames: ['queue', 'state'],
  });
  const age = gauge({
    name: 'pushfleet_queue_oldest_push_age_seconds',
    help: 'Age of the oldest open push with work on the queue, whether its job waits, runs, is delayed or was lost; 0 without one.',
    labelNames: ['queue'],
  });
  const left = gauge({
    name: 'pushfleet_channel_devices_left',
    help: 'Devices of open pushes that have no verdict yet.',
    labelNames: ['channel'],
  });
  const open = gauge({
    name: 'pushfleet_pushes_open',
    help: 'Pushes that are not done, by state: due, or scheduled for later.',
    labelNames: ['state'],
  });
  const records = gauge({
    name: 'pushfleet_push_records',
    help: 'Open and newest push records of the last round, by result: checked, or imbalanced (matched is not accepted + discarded + failed + outstanding; must be 0).',
    labelNames: ['result'],
  });
  const reach = reachMetrics({ gauge });
  const machines = machineMetrics({ gauge });
  const devices = deviceMetrics({ counter });
  const indexes = indexMetrics({ gauge });
  const all = [jobs, age, left, open, records, ...reach.all, ...machines.all, ...indexes.all];
  const clear = (): void => {
    all.forEach((each) => each.reset());
    devices.clear();
  };
  return {
    clear,
    show({ depths, view, nodes, processes, totals, indexes: columns, reached, now }: FleetView): void {
      clear();
      for (const { queue, jobs: byState } of depths) {
        for (const state of ['waiting', 'active', 'delayed', 'paused'])
          jobs.set({ queue, state }, (byState[state] ?? 0) + (state === 'waiting' ? (byState['prioritized'] ?? 0) : 0));
        if (isOfPushes(queue)) age.set({ queue }, ageSeconds(view.waitsSince.get(queue), now));
      }
      for (const [channel, devices] of view.devicesLeft) left.set({ channel }, devices);
      for (const state of ['due', 'scheduled'] as const) open.set({ state }, view.open[state]);
      records.set({ result: 'checked' }, view.looked);
      records.set({ result: 'imbalanced' }, view.imbalanced);
      reach.show(reached);
      machines.show({ nodes, processes });
      indexes.show(columns);
      devices.show(totals, view.devicesLeft.keys());
    },
  };
}

const ageSeconds = (since: number | undefined, now: number): number =>
  since === undefined ? 0 : Math.max(0, now - since) / 1000;

/** Gauges of the indexes of columns, of all apps together. */
function indexMetrics({ gauge }: Pick<Metrics, 'gauge'>) {
  const count = gauge({
    name: 'pushfleet_column_indexes',
    help: 'Indexes of columns of all apps, by state: building, ready, or removing.',
    labelNames: ['state'],
  });
  const parts = gauge({
    name: 'pushfleet_column_index_parts',
    help: 'Parts of the apps whose indexes of columns are being built or removed, by state: done, or left.',
    labelNames: ['state'],
  });
  return {
    all: [count, parts],
    show(indexes: readonly ColumnIndex[]): void {
      for (const state of ['building', 'ready', 'removing'] as const)
        count.set({ state }, indexes.filter(({ status }) => status === state).length);
      const underWay = indexes.filter(({ status }) => status !== 'ready');
      const done = underWay.reduce((sum, { doneParts = 0 }) => sum + doneParts, 0);
      const all = underWay.reduce((sum, one) => sum + one.parts, 0);
      parts.set({ state: 'done' }, done);
      parts.set({ state: 'left' }, all - done);
    },
  };
}

/** Gauges of Redis. */
function machineMetrics({ gauge }: Pick<Metrics, 'gauge'>) {
  const memory = gauge({
    name: 'pushfleet_redis_memory_bytes',
    help: 'Memory of each Redis master, by kind: used, or limit (0: none is set).',
    labelNames: ['node', 'kind'],
  });
  const living = gauge({
    name: 'pushfleet_processes',
    help: 'Living processes, by role and version.',
    labelNames: ['role', 'version'],
  });
  return {
    all: [memory, living],
    show({ nodes, processes }: Pick<FleetView, 'nodes' | 'processes'>): void {
      for (const { node, usedBytes, maxBytes } of nodes) {
        memory.set({ node, kind: 'used' }, usedBytes);
        memory.set({ node, kind: 'limit' }, maxBytes);
      }
      for (const { role, version } of processes) living.inc({ role, version });
    },
  };
}
