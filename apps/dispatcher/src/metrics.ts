import type { Metrics } from '@pushfleet/service-kit';

export type DispatcherMetrics = ReturnType<typeof dispatcherMetrics>;

export const dispatcherMetrics = ({ counter, histogram }: Metrics) => ({
  dispatched: counter({
    name: 'pushfleet_dispatcher_pushes_total',
    help: 'Pushes turned into a plan, by kind of audience.',
    labelNames: ['kind'],
  }),
  dispatchSeconds: histogram({
    name: 'pushfleet_dispatcher_dispatch_duration_seconds',
    help: 'Time to turn one envelope of pushes into jobs.',
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
  }),
  redriven: counter({
    name: 'pushfleet_dispatcher_redriven_pushes_total',
    help: 'Open pushes whose jobs were added again.',
  }),
  sweptInstallations: counter({
    name: 'pushfleet_dispatcher_swept_installations_total',
    help: 'Installations not updated for long, by what was done: stale (no target any more) or removed.',
    labelNames: ['result'],
  }),
  failedJobs: counter({
    name: 'pushfleet_dispatcher_failed_jobs_total',
    help: 'Jobs whose handling failed, by queue.',
    labelNames: ['queue'],
  }),
});
