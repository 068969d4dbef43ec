import type { Metrics } from '@pushfleet/service-kit';
import { PUSH_REQUESTS, PUSH_SCHEDULE } from '@pushfleet/queues';
import type { FleetProcess, RedisSettings, Total } from '@pushfleet/store';
import type { BacklogView } from './backlog';
import { deviceMetrics } from './device-metrics';

export interface FleetView {
  readonly depths: readonly { readonly queue: string; readonly jobs: Readonly<Record<string, number>> }[];
  readonly view: BacklogView;
  readonly nodes: readonly RedisSettings[];
  readonly processes: readonly FleetProcess[];
  readonly totals: readonly Total[];
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
  const machines = machineMetrics({ gauge });
  const devices = deviceMetrics({ counter });
  const all = [jobs, age, left, open, records, ...machines.all];
  const clear = (): void => {
    all.forEach((each) => each.reset());
    devices.clear();
  };
  return {
    clear,
    show({ depths, view, nodes, processes, totals, now }: FleetView): void {
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
      machines.show({ nodes, processes });
      devices.show(totals, view.devicesLeft.keys());
    },
  };
}

const ageSeconds = (since: number | undefined, now: number): number =>
  since === undefined ? 0 : Math.max(0, now - since) / 1000;

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
