import { QueryVariableBuilder, VariableRefresh, VariableSort } from '@grafana/grafana-foundation-sdk/dashboard';
import type { DashboardPlan } from './build-dashboard';
import { DATASOURCE, graph } from './panels';

const channel = new QueryVariableBuilder('channel')
  .label('Channel')
  .datasource(DATASOURCE)
  .query('label_values(pushfleet_channel_vendor_calls_total, channel)')
  .refresh(VariableRefresh.OnTimeRangeChanged)
  .sort(VariableSort.AlphabeticalAsc);

const QUEUES = 'queue=~"channel-$channel(-bulk)?"';
const OF_CHANNEL = 'channel="$channel"';

const firstCall = (quantile: number): string =>
  `histogram_quantile(${quantile}, sum by (le) (rate(pushfleet_channel_accept_to_call_seconds_bucket{${OF_CHANNEL}, kind="addressed"}[5m])))`;

export const vendor: DashboardPlan = {
  name: 'vendor',
  title: 'Vendor',
  description: 'One channel: what goes to its vendor, what comes back, and what waits.',
  variables: [channel],
  rows: {
    'What reaches devices?': [
      graph({
        title: 'What becomes of the devices?',
        description: 'accepted: the vendor took the message. More discarded than usual: see the reasons beside.',
        unit: 'cps',
        series: { '{{outcome}}': `channel:pushfleet_devices:rate5m{${OF_CHANNEL}}` },
      }),
      graph({
        title: 'Why are devices not reached?',
        description:
          'registration-gone is normal. credentials-rejected, quota-exceeded, message-rejected: correct the profile or the message.',
        unit: 'cps',
        series: {
          '{{outcome}} {{reason}}': `channel:pushfleet_reasons:rate5m{${OF_CHANNEL}, outcome!="accepted"}`,
        },
      }),
      graph({
        title: 'What do receipts say?',
        description:
          'delivered of accepted, as far as the vendor reports. It falls and accepted does not: runbook PushfleetDeliveredFalls.',
        unit: 'cps',
        series: { '{{event}}': `channel:pushfleet_device_events:rate5m{${OF_CHANNEL}, event!="matched"}` },
      }),
      graph({
        title: 'How do calls end?',
        description:
          'answered is good whatever the verdicts are. Any other result is a fault; docs/operate.md says what to do.',
        unit: 'reqps',
        series: { '{{result}}': `channel:pushfleet_vendor_calls:rate5m{${OF_CHANNEL}}` },
      }),
      graph({
        title: 'Which codes does the vendor give for devices it refuses?',
        description: 'Look the code up in docs/vendors.md or in the table of the channel (codes.ts).',
        unit: 'cps',
        series: {
          '{{code}}': `sum by (code) (rate(pushfleet_channel_vendor_refusals_total{${OF_CHANNEL}}[5m]))`,
        },
      }),
    ],
    'How does the vendor serve?': [
      graph({
        title: 'How long does a call take?',
        description:
          'Compare with the usual. Near VENDOR_TIMEOUT_MS, of campaigns VENDOR_CAMPAIGN_TIMEOUT_MS, calls begin to count as unknown-outcome.',
        unit: 's',
        series: {
          p50: `channel:pushfleet_vendor_call_seconds:p50_5m{${OF_CHANNEL}}`,
          p99: `channel:pushfleet_vendor_call_seconds:p99_5m{${OF_CHANNEL}}`,
        },
      }),
      graph({
        title: 'How soon does an addressed message reach the vendor?',
        description:
          'From its acceptance to its first call. Grows: look at the age of the direct queue and at the workers of the channel.',
        unit: 's',
        series: {
          p50: firstCall(0.5),
          p99: firstCall(0.99),
        },
      }),
      graph({
        title: 'How many devices are in a call?',
        description:
          'Campaigns fill batches; direct pushes are alone in theirs. Small ones in a campaign: few devices per shard.',
        unit: 'short',
        series: {
          mean: `sum(rate(pushfleet_channel_vendor_batch_devices_sum{${OF_CHANNEL}}[5m])) / (sum(rate(pushfleet_channel_vendor_batch_devices_count{${OF_CHANNEL}}[5m])) > 0)`,
        },
      }),
      graph({
        title: 'How many calls wait for an answer?',
        description: 'Few of those that may while pushes wait: the worker is the limit, or the budget; add workers.',
        unit: 'short',
        series: { '{{instance}}': `pushfleet_channel_vendor_calls_in_flight{${OF_CHANNEL}}` },
      }),
      graph({
        title: 'How many calls of a profile may wait for an answer?',
        description:
          'Follows the latency, refusals and time-outs of the vendor. At SEND_CONCURRENCY for long: raise it if pushes wait.',
        unit: 'short',
        series: { '{{instance}} {{queue}}': `pushfleet_channel_vendor_calls_allowed{${OF_CHANNEL}}` },
      }),
      graph({
        title: 'How many calls are repeats?',
        description:
          'Repeats follow faults and deferrals. Many without an outage: the vendor throttles; look at the budget.',
        unit: 'reqps',
        series: { repeats: `sum(rate(pushfleet_channel_vendor_retries_total{${OF_CHANNEL}}[5m]))` },
      }),
    ],
    'What holds it back?': [
      graph({
        title: 'Why do devices wait, and which share of those that are left?',
        description:
          'docs/reasons.md says of each reason what to do. Of the 200 open pushes with the most devices left.',
        unit: 'percentunit',
        series: {
          '{{reason}}': `max by (reason) (pushfleet_channel_devices_waiting{${OF_CHANNEL}}) / scalar(max(pushfleet_channel_devices_left{${OF_CHANNEL}}) > 0)`,
        },
      }),
      graph({
        title: 'How much of the budget is used?',
        description:
          'Near 100 % the budget of a profile decides the speed. Raise it only as far as the vendor allows the app.',
        unit: 'percentunit',
        badFrom: 0.95,
        series: { used: `sum(pushfleet_budget_used_ratio{${OF_CHANNEL}})` },
      }),
      graph({
        title: 'How often must pages wait for the budget?',
        description: 'Waits by themselves are no fault: they are the pace that the vendor, or a push, asks for.',
        unit: 'cps',
        series: { waits: `sum(rate(pushfleet_budget_waits_total{${OF_CHANNEL}}[5m])) or vector(0)` },
      }),
      graph({
        title: 'Are breakers open?',
        description:
          'Profiles that the vendor is not called for (open), or tried for by one call (half-open). Runbook PushfleetVendorDown.',
        unit: 'short',
        badFrom: 1,
        series: { '{{state}}': `max by (state) (pushfleet_breaker_state{${OF_CHANNEL}})` },
      }),
      graph({
        title: 'Which pushes wait for an answer that somebody knows?',
        description: 'The vendor answers them with a code that is in no table. Runbook PushfleetAnswersUnknown.',
        unit: 'short',
        badFrom: 1,
        series: { pushes: `max(pushfleet_channel_held_pushes{${OF_CHANNEL}})` },
      }),
      graph({
        title: 'How often do breakers change?',
        description:
          'A breaker that opens and closes again and again: the vendor fails now and then, or for some calls.',
        unit: 'cps',
        series: {
          'to {{to}}': `sum by (to) (rate(pushfleet_breaker_transitions_total{${OF_CHANNEL}}[5m]))`,
        },
      }),
      graph({
        title: 'Has an operator paused it?',
        description: 'pushfleet channels resume CHANNEL lets it go on.',
        unit: 'bool_yes_no',
        series: { paused: `max(pushfleet_channel_paused{${OF_CHANNEL}})` },
      }),
    ],
    'What waits?': [
      graph({
        title: 'How many devices have no verdict yet?',
        description:
          'Of all open pushes. It falls at the rate of the first panel; if it does not, look at what holds it back.',
        unit: 'short',
        series: { devices: `channel:pushfleet_devices_left:max{${OF_CHANNEL}}` },
      }),
      graph({
        title: 'When will the backlog be gone?',
        description: 'At the rate of now. Too long, and the budget is not used up: add workers for the channel.',
        unit: 's',
        series: { left: `channel:pushfleet_drain:seconds{${OF_CHANNEL}}` },
      }),
      graph({
        title: 'How long has the oldest push waited?',
        description:
          'Direct and bulk apart. Workers are scaled by it. Runbooks PushfleetDirectBacklogOld, PushfleetBulkBacklogOld.',
        unit: 's',
        series: { '{{queue}}': `queue:pushfleet_oldest_push_age_seconds:max{${QUEUES}}` },
      }),
      graph({
        title: 'How many jobs are unfinished?',
        description:
          'A campaign is a few jobs whatever its size. Many delayed ones wait for the vendor or for the budget.',
        unit: 'short',
        series: { '{{queue}} {{state}}': `queue:pushfleet_jobs:max{${QUEUES}}` },
      }),
      graph({
        title: 'How long do jobs wait before a worker takes them (p99)?',
        description: 'Direct ones: milliseconds. More: the workers are full; add one.',
        unit: 's',
        series: {
          '{{queue}}': `histogram_quantile(0.99, sum by (queue, le) (rate(pushfleet_queue_job_waiting_seconds_bucket{${QUEUES}}[5m])))`,
        },
      }),
      graph({
        title: 'Do jobs fail or stall?',
        description:
          'failed: see the log of the workers, runbook PushfleetJobsFail. stalled: a worker died or its event loop hung.',
        unit: 'cps',
        series: {
          '{{queue}} failed': `sum by (queue) (rate(pushfleet_queue_job_runs_total{${QUEUES}, result="failed"}[5m]))`,
          '{{queue}} stalled': `sum by (queue) (rate(pushfleet_queue_jobs_stalled_total{${QUEUES}}[5m]))`,
        },
      }),
    ],
  },
};
