import { jobMetrics, type JobMetrics, type Metrics } from '@pushfleet/service-kit';
import { fleetMetrics } from './watch/fleet-metrics';

export type DispatcherMetrics = ReturnType<typeof dispatcherMetrics>;

export const dispatcherMetrics = ({ counter, histogram, gauge }: Metrics) => ({
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
  movedInstallations: counter({
    name: 'pushfleet_dispatcher_moved_installations_total',
    help: 'Installations put into another route bucket because their profile was saved, or never was.',
  }),
  missingIndexEntries: counter({
    name: 'pushfleet_dispatcher_missing_index_entries_total',
    help: 'Entries that a check found missing in the index of channels: of installations that a version without it stored, or lost.',
  }),
  columnIndexEntries: counter({
    name: 'pushfleet_dispatcher_column_index_entries_total',
    help: 'Entries that were added to indexes of columns while these were made, or that a check found missing.',
  }),
  failedTurns: counter({
    name: 'pushfleet_dispatcher_failed_turns_total',
    help: 'Apps, their shards, pushes, channels and lists of pushes, for which a round of periodic work failed, and went on with the others, by kind of work: watch, sweep, outcomes, records, buckets, channel-indexes, column-indexes, drains, or purge.',
    labelNames: ['kind'],
  }),
  preflights: counter({
    name: 'pushfleet_dispatcher_preflights_total',
    help: 'Pre-flights, by result: answered, failed, refused, when too many walks were under way, or late, when nobody waited for the answer any more.',
    labelNames: ['result'],
  }),
  sweptRecords: counter({
    name: 'pushfleet_dispatcher_swept_records_total',
    help: 'Records of pushes that are done, removed before their time because all of them were too large.',
  }),
  sweptTexts: counter({
    name: 'pushfleet_dispatcher_swept_texts_total',
    help: 'Messages of the own channel that lapsed before their time because all that wait were too large.',
  }),
  sweptOutcomes: counter({
    name: 'pushfleet_dispatcher_swept_outcomes_total',
    help: 'Pushes whose outcomes by device were dropped because those of their app were larger than OUTCOME_BYTES.',
  }),
  fleet: fleetMetrics({ gauge, counter }),
  jobs: jobMetrics({ counter, histogram, gauge }) satisfies JobMetrics,
});
