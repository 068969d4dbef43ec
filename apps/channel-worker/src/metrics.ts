import type { Metrics } from '@pushfleet/service-kit';

export type WorkerMetrics = ReturnType<typeof workerMetrics>;

export const workerMetrics = ({ counter, histogram, gauge }: Metrics) => ({
  devices: counter({
    name: 'pushfleet_channel_devices_total',
    help: 'Devices booked, by outcome and reason.',
    labelNames: ['channel', 'outcome', 'reason'],
  }),
  calls: counter({
    name: 'pushfleet_channel_vendor_calls_total',
    help: 'Batches sent to the vendor, by result: answered, or the fault.',
    labelNames: ['channel', 'result'],
  }),
  callSeconds: histogram({
    name: 'pushfleet_channel_vendor_call_duration_seconds',
    help: 'Time a vendor takes for a batch.',
    labelNames: ['channel'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  }),
  batchDevices: histogram({
    name: 'pushfleet_channel_vendor_batch_devices',
    help: 'Devices in a batch.',
    labelNames: ['channel'],
    buckets: [1, 10, 50, 100, 500, 1000],
  }),
  inFlight: gauge({
    name: 'pushfleet_channel_vendor_calls_in_flight',
    help: 'Batches that wait for the vendor.',
    labelNames: ['channel'],
  }),
  failedJobs: counter({
    name: 'pushfleet_channel_failed_jobs_total',
    help: 'Jobs whose handling failed, by queue.',
    labelNames: ['queue'],
  }),
});
