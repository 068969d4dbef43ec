import { Counter, Histogram, type Registry } from 'prom-client';

export interface DispatcherMetrics {
  readonly dispatched: Counter<'kind'>;
  readonly dispatchSeconds: Histogram;
  readonly redriven: Counter;
  readonly failedJobs: Counter<'queue'>;
}

export function dispatcherMetrics(registry: Registry): DispatcherMetrics {
  const registers = [registry];
  return {
    dispatched: new Counter({
      name: 'pushfleet_dispatcher_pushes_total',
      help: 'Pushes turned into a plan, by kind of audience.',
      labelNames: ['kind'],
      registers,
    }),
    dispatchSeconds: new Histogram({
      name: 'pushfleet_dispatcher_dispatch_duration_seconds',
      help: 'Time to turn one envelope of pushes into jobs.',
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
      registers,
    }),
    redriven: new Counter({
      name: 'pushfleet_dispatcher_redriven_pushes_total',
      help: 'Open pushes whose jobs were added again.',
      registers,
    }),
    failedJobs: new Counter({
      name: 'pushfleet_dispatcher_failed_jobs_total',
      help: 'Jobs whose handling failed, by queue.',
      labelNames: ['queue'],
      registers,
    }),
  };
}
