import { jobMetrics, type JobMetrics, type Metrics } from '@pushfleet/service-kit';

export type WorkerMetrics = ReturnType<typeof workerMetrics>;

export const workerMetrics = ({ counter, histogram, gauge }: Metrics) => ({
  calls: counter({
    name: 'pushfleet_channel_vendor_calls_total',
    help: 'Batches sent to the vendor, by result: answered, or the fault.',
    labelNames: ['channel', 'result'],
  }),
  callSeconds: histogram({
    name: 'pushfleet_channel_vendor_call_duration_seconds',
    help: 'Time a vendor takes for a batch.',
    labelNames: ['channel'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
  }),
  acceptToCall: histogram({
    name: 'pushfleet_channel_accept_to_call_seconds',
    help: 'From when a push was accepted, or its scheduled time, to the first call of the vendor for some of its devices, by kind of audience: addressed, or audience.',
    labelNames: ['channel', 'kind'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120, 600, 3600],
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
  callsAllowed: gauge({
    name: 'pushfleet_channel_vendor_calls_allowed',
    help: 'Batches that may wait for the vendor, of the profile that may have most; 0: none was sent of late.',
    labelNames: ['channel', 'queue'],
  }),
  retries: counter({
    name: 'pushfleet_channel_vendor_retries_total',
    help: 'Batches that were sent to the vendor again after a fault or a deferral.',
    labelNames: ['channel'],
  }),
  evicted: counter({
    name: 'pushfleet_channel_messages_evicted_total',
    help: 'Messages of the own channel that made room in a full mailbox for newer ones.',
  }),
  unreadableSecrets: counter({
    name: 'pushfleet_channel_unreadable_secrets_total',
    help: 'Pages left to wait because the SECRET_KEY of the worker does not open the credentials of their profile.',
    labelNames: ['channel'],
  }),
  refused: refusedByCode({ counter }),
  jobs: jobMetrics({ counter, histogram, gauge }) satisfies JobMetrics,
  ...paceMetrics({ counter, gauge }),
});

/** Bounded, because a vendor may add codes at any time. */
const MAX_CODES = 50;

function refusedByCode({ counter }: Pick<Metrics, 'counter'>) {
  const refusals = counter({
    name: 'pushfleet_channel_vendor_refusals_total',
    help: 'Devices that a vendor refused, by the code in its answer; codes beyond the first fifty count as other.',
    labelNames: ['channel', 'code'],
  });
  const known = new Set<string>();
  return (channel: string, code: string, devices: number): void => {
    if (known.size < MAX_CODES) known.add(code);
    refusals.inc({ channel, code: known.has(code) ? code : 'other' }, devices);
  };
}

/** The same in every worker of a channel, but for what is counted. */
function paceMetrics({ counter, gauge }: Pick<Metrics, 'counter' | 'gauge'>) {
  return {
    breakers: gauge({
      name: 'pushfleet_breaker_state',
      help: 'Profiles whose vendor is not called (open) or tried by one call (half-open).',
      labelNames: ['channel', 'state'],
    }),
    breakerTransitions: counter({
      name: 'pushfleet_breaker_transitions_total',
      help: 'Circuit breakers that changed their state, by the new one.',
      labelNames: ['channel', 'to'],
    }),
    heldPushes: gauge({
      name: 'pushfleet_channel_held_pushes',
      help: 'Pushes that wait because the vendor answers them with a code that nobody knows.',
      labelNames: ['channel'],
    }),
    paused: gauge({
      name: 'pushfleet_channel_paused',
      help: '1 while an operator has paused the whole channel.',
      labelNames: ['channel'],
    }),
    controls: gauge({
      name: 'pushfleet_channel_controls',
      help: 'Parts of the channel, or the whole, that an operator paused, drains or discards.',
      labelNames: ['channel', 'state'],
    }),
    budgetWaits: counter({
      name: 'pushfleet_budget_waits_total',
      help: 'Pages put off because a budget, or the pace of their push, had no room for them.',
      labelNames: ['channel'],
    }),
    budgetUsed: gauge({
      name: 'pushfleet_budget_used_ratio',
      help: 'Share that this worker used, of the rate it used most of; the workers add up to the fleet.',
      labelNames: ['channel'],
    }),
  };
}
