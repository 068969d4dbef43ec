import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface WorkerMetrics {
  readonly devices: Counter<'channel' | 'outcome' | 'reason'>;
  readonly calls: Counter<'channel' | 'result'>;
  readonly callSeconds: Histogram<'channel'>;
  readonly batchDevices: Histogram<'channel'>;
  readonly inFlight: Gauge<'channel'>;
  readonly failedJobs: Counter<'queue'>;
}

export function workerMetrics(registry: Registry): WorkerMetrics {
  const registers = [registry];
  return {
    devices: new Counter({
      name: 'pushfleet_channel_devices_total',
      help: 'Devices booked, by outcome and reason.',
      labelNames: ['channel', 'outcome', 'reason'],
      registers,
    }),
    calls: new Counter({
      name: 'pushfleet_channel_vendor_calls_total',
      help: 'Batches sent to the vendor, by result: answered or the fault.',
      labelNames: ['channel', 'result'],
      registers,
    }),
    callSeconds: new Histogram({
      name: 'pushfleet_channel_vendor_call_duration_seconds',
      help: 'Time a vendor takes for a batch.',
      labelNames: ['channel'],
      buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    batchDevices: new Histogram({
      name: 'pushfleet_channel_vendor_batch_devices',
      help: 'Devices in a batch.',
      labelNames: ['channel'],
      buckets: [1, 10, 50, 100, 500, 1000],
      registers,
    }),
    inFlight: new Gauge({
      name: 'pushfleet_channel_vendor_calls_in_flight',
      help: 'Batches that wait for the vendor.',
      labelNames: ['channel'],
      registers,
    }),
    failedJobs: new Counter({
      name: 'pushfleet_channel_failed_jobs_total',
      help: 'Jobs whose handling failed, by queue.',
      labelNames: ['queue'],
      registers,
    }),
  };
}
