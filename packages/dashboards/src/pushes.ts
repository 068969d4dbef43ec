import { TextBoxVariableBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import type { DashboardPlan } from './build-dashboard';
import { graph, text } from './panels';

const LOOK_AT_ONE = `Metrics name no push. The admin API does, and its console at [$console]($console) shows the same:

\`\`\`
curl -H "Authorization: Bearer $ADMIN_TOKEN" $console/api/v1/apps/APP/pushes
curl -H "Authorization: Bearer $ADMIN_TOKEN" $console/api/v1/apps/APP/pushes/PUSH
\`\`\`
`;

/** Whichever way they come. */
const OF_PUSHES = 'route=~"push|push-devices|push-installations|offline-messages"';

export const pushes: DashboardPlan = {
  name: 'pushes',
  title: 'Pushes',
  description: 'From the request to the books.',
  variables: [new TextBoxVariableBuilder('console').label('Admin API').defaultValue('http://127.0.0.1:8083')],
  rows: {
    'Are pushes taken?': [
      graph({
        title: 'How many pushes are accepted?',
        description: 'Repeats of a req_id included. None: look at the requests beside.',
        unit: 'reqps',
        series: { accepted: 'pushfleet:pushes_accepted:rate5m' },
      }),
      graph({
        title: 'How are push requests answered?',
        description:
          '4xx: the senders are wrong. 503: Redis is away or full. 500: a defect; the log of the ingress has its id.',
        unit: 'reqps',
        series: { '{{status}}': `sum by (status) (rate(pushfleet_ingress_requests_total{${OF_PUSHES}}[5m]))` },
      }),
      graph({
        title: 'Which share of the pushes is refused because the service cannot take them?',
        description: 'Over 5 %: runbook PushfleetPushesRefused.',
        unit: 'percentunit',
        badFrom: 0.05,
        series: { refused: 'pushfleet:push_refusals:ratio_rate5m' },
      }),
      graph({
        title: 'How soon is a push answered?',
        description: 'A few milliseconds. Grows with a slow Redis, or with a full ingress: add one.',
        unit: 's',
        series: {
          p50: `histogram_quantile(0.5, sum by (le) (rate(pushfleet_ingress_request_duration_seconds_bucket{${OF_PUSHES}}[5m])))`,
          p99: 'pushfleet:push_answer_seconds:p99_5m',
        },
      }),
      graph({
        title: 'How many pushes share a commit?',
        description: 'Grows with the load; 64 is the most. Near it the ingress is full: add one.',
        unit: 'short',
        series: {
          mean: 'sum(rate(pushfleet_ingress_commit_pushes_sum[5m])) / (sum(rate(pushfleet_ingress_commit_pushes_count[5m])) > 0)',
        },
      }),
    ],
    'Are pushes dispatched?': [
      graph({
        title: 'How many pushes are turned into jobs?',
        description:
          'Together they follow the accepted ones. Far behind: look at the age of push-requests, add a dispatcher. At once: to few devices, planned by the ingress.',
        unit: 'cps',
        series: {
          '{{kind}}': 'sum by (kind) (rate(pushfleet_dispatcher_pushes_total[5m]))',
          'at once': 'sum(rate(pushfleet_ingress_pushes_planned_total[5m]))',
        },
      }),
      graph({
        title: 'How long does it take to dispatch an envelope (p99)?',
        description: 'Conditions that no index answers are slow. Longer than a second for all: Redis is slow.',
        unit: 's',
        series: {
          p99: 'histogram_quantile(0.99, sum by (le) (rate(pushfleet_dispatcher_dispatch_duration_seconds_bucket[5m])))',
        },
      }),
      graph({
        title: 'How many pushes are open?',
        description:
          'due: under way. scheduled: wait for their time. due grows without end: a vendor is down, or workers are missing.',
        unit: 'short',
        series: { '{{state}}': 'max by (state) (pushfleet_pushes_open)' },
      }),
      graph({
        title: 'How many open pushes are looked through for lost jobs?',
        description: 'Those that stay open for long are looked at now and then. That is no fault.',
        unit: 'cps',
        series: { pushes: 'sum(rate(pushfleet_dispatcher_redriven_pushes_total[5m]))' },
      }),
      graph({
        title: 'How many jobs wait for a dispatcher?',
        description: 'push-requests is empty most of the time. push-schedule holds one per scheduled push.',
        unit: 'short',
        series: {
          '{{queue}} {{state}}': 'queue:pushfleet_jobs:max{queue=~"push-requests|push-schedule|receipts"}',
        },
      }),
    ],
    'Do the books add up?': [
      graph({
        title: 'How many records are checked, and how many do not add up?',
        description: 'imbalanced must be 0: runbook PushfleetRecordImbalance.',
        unit: 'short',
        series: { '{{result}}': 'max by (result) (pushfleet_push_records)' },
      }),
      graph({
        title: 'What becomes of the devices, over all channels?',
        description:
          'More failed or discarded than usual: see which channel on the overview, and why on its dashboard.',
        unit: 'cps',
        series: { '{{outcome}}': 'sum by (outcome) (channel:pushfleet_devices:rate5m)' },
      }),
      graph({
        title: 'How many devices are not reached because they were not seen for long?',
        description:
          'kept: no targets until they save again. ending: of these, removed within 30 days (INSTALLATION_DELETE_AFTER_MS). By the last daily sweep.',
        unit: 'short',
        series: { '{{state}}': 'max by (state) (pushfleet_installations_unseen)' },
      }),
      text('How do I look at one push?', LOOK_AT_ONE),
    ],
  },
};
