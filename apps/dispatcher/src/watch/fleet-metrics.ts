import type { Metrics } from '@pushfleet/service-kit';
import { PUSH_REQUESTS, PUSH_SCHEDULE } from '@pushfleet/queues';
import type { ColumnIndex, FleetProcess, RedisSettings, Total } from '@pushfleet/store';
import type { BacklogView } from './backlog';
import { deviceMetrics } from './device-metrics';
import { REACH, type ReachView } from './reach-metrics';
import { shownGauges, type ShownGauge } from './shown-gauges';

export interface FleetView {
  readonly depths: readonly { readonly queue: string; readonly jobs: Readonly<Record<string, number>> }[];
  readonly view: BacklogView;
  readonly nodes: readonly RedisSettings[];
  readonly processes: readonly FleetProcess[];
  readonly totals: readonly Total[];
  readonly indexes: readonly ColumnIndex[];
  readonly reached: ReachView;
  readonly appCount: number;
  readonly now: number;
}

type FleetRows = ReturnType<ShownGauge<FleetView>['rows']>;

export type FleetMetrics = ReturnType<typeof fleetMetrics>;

const isOfPushes = (queue: string): boolean =>
  queue === PUSH_REQUESTS || queue === PUSH_SCHEDULE || queue.startsWith('channel-');

const ageSeconds = (since: number | undefined, now: number): number =>
  since === undefined ? 0 : Math.max(0, now - since) / 1000;

const JOB_STATES = ['waiting', 'active', 'delayed', 'paused'];

const jobsIn = (jobs: Readonly<Record<string, number>>, state: string): number =>
  (jobs[state] ?? 0) + (state === 'waiting' ? (jobs['prioritized'] ?? 0) : 0);

const PUSHES: readonly ShownGauge<FleetView>[] = [
  {
    name: 'pushfleet_queue_jobs',
    help: 'Unfinished jobs, by state: waiting, active, delayed, or paused.',
    labelNames: ['queue', 'state'],
    rows: ({ depths }) =>
      depths.flatMap(({ queue, jobs }) => JOB_STATES.map((state) => [{ queue, state }, jobsIn(jobs, state)] as const)),
  },
  {
    name: 'pushfleet_queue_oldest_push_age_seconds',
    help: 'Age of the oldest open push with work on the queue, whether its job waits, runs, is delayed or was lost; 0 without one.',
    labelNames: ['queue'],
    rows: ({ depths, view, now }) =>
      depths
        .filter(({ queue }) => isOfPushes(queue))
        .map(({ queue }) => [{ queue }, ageSeconds(view.waitsSince.get(queue), now)]),
  },
  {
    name: 'pushfleet_channel_devices_left',
    help: 'Devices of open pushes that have no verdict yet.',
    labelNames: ['channel'],
    rows: ({ view }) => [...view.devicesLeft].map(([channel, devices]) => [{ channel }, devices]),
  },
  {
    name: 'pushfleet_pushes_open',
    help: 'Pushes that are not done, by state: due, or scheduled for later.',
    labelNames: ['state'],
    rows: ({ view }) => (['due', 'scheduled'] as const).map((state) => [{ state }, view.open[state]]),
  },
  {
    name: 'pushfleet_push_records',
    help: 'Open and newest push records of the last round, by result: checked, or imbalanced (matched is not accepted + discarded + failed + outstanding; must be 0).',
    labelNames: ['result'],
    rows: ({ view }) => [
      [{ result: 'checked' }, view.looked],
      [{ result: 'imbalanced' }, view.imbalanced],
    ],
  },
];

const MACHINES: readonly ShownGauge<FleetView>[] = [
  {
    name: 'pushfleet_redis_memory_bytes',
    help: 'Memory of each Redis master, by kind: used, or limit (0: none is set).',
    labelNames: ['node', 'kind'],
    rows: ({ nodes }) =>
      nodes.flatMap(({ node, usedBytes, maxBytes }) => [
        [{ node, kind: 'used' }, usedBytes] as const,
        [{ node, kind: 'limit' }, maxBytes] as const,
      ]),
  },
  {
    name: 'pushfleet_apps',
    help: 'Apps of the fleet, by state: stored. 0 after there were some: all were deleted, or Redis has lost its data.',
    labelNames: ['state'],
    rows: ({ appCount }) => [[{ state: 'stored' }, appCount]],
  },
  {
    name: 'pushfleet_processes',
    help: 'Living processes, by role and version.',
    labelNames: ['role', 'version'],
    rows: ({ processes }) => processes.map(({ role, version }) => [{ role, version }, 1]),
  },
  {
    name: 'pushfleet_process_clock_distance_seconds',
    help: 'How far the clock of a process is from that of Redis, either way: of each role the farthest.',
    labelNames: ['role'],
    rows: ({ processes }) => farthestClocks(processes),
  },
];

function farthestClocks(processes: readonly FleetProcess[]): FleetRows {
  const farthest = new Map<string, number>();
  for (const { role, clockAheadMs } of processes) {
    if (clockAheadMs === undefined) continue;
    farthest.set(role, Math.max(farthest.get(role) ?? 0, Math.abs(clockAheadMs)));
  }
  return [...farthest].map(([role, ms]) => [{ role }, ms / 1000]);
}

/** Of all apps together. */
const COLUMN_INDEXES: readonly ShownGauge<FleetView>[] = [
  {
    name: 'pushfleet_column_indexes',
    help: 'Indexes of columns of all apps, by state: building, ready, or removing.',
    labelNames: ['state'],
    rows: ({ indexes }) =>
      (['building', 'ready', 'removing'] as const).map((state) => [
        { state },
        indexes.filter(({ status }) => status === state).length,
      ]),
  },
  {
    name: 'pushfleet_column_index_parts',
    help: 'Parts of the apps whose indexes of columns are being built or removed, by state: done, or left.',
    labelNames: ['state'],
    rows({ indexes }) {
      const underWay = indexes.filter(({ status }) => status !== 'ready');
      const done = underWay.reduce((sum, { doneParts = 0 }) => sum + doneParts, 0);
      const all = underWay.reduce((sum, { parts }) => sum + parts, 0);
      return [
        [{ state: 'done' }, done],
        [{ state: 'left' }, all - done],
      ];
    },
  },
];

/** Exported by the one dispatcher that watches: every gauge has a label, so that the others export nothing. */
export function fleetMetrics({ gauge, counter }: Pick<Metrics, 'gauge' | 'counter'>) {
  const gauges = shownGauges<FleetView>({ gauge }, [...PUSHES, ...REACH, ...MACHINES, ...COLUMN_INDEXES]);
  const devices = deviceMetrics({ counter });
  return {
    clear(): void {
      gauges.clear();
      devices.clear();
    },
    show(view: FleetView): void {
      gauges.show(view);
      devices.show(view.totals, view.view.devicesLeft.keys());
    },
  };
}
