import type { DashboardPlan } from './build-dashboard';
import { graph, number } from './panels';

export const overview: DashboardPlan = {
  name: 'overview',
  title: 'Overview',
  description: 'Is the fleet healthy, and what is each vendor doing?',
  rows: {
    'Is it healthy?': [
      number({
        title: 'How many alerts fire?',
        description: 'More than 0: open the alerts of Prometheus; each names its runbook in docs/operate.md.',
        unit: 'short',
        badFrom: 1,
        series: { alerts: 'count(ALERTS{alertname=~"Pushfleet.*", alertstate="firing"}) or vector(0)' },
      }),
      number({
        title: 'Which share of the processes answers?',
        description: 'Less than 100 %: see which instance is down, and the runbook PushfleetProcessDown.',
        unit: 'percentunit',
        series: { processes: 'sum(up{job="pushfleet"}) / count(up{job="pushfleet"})' },
      }),
      number({
        title: 'How many records do not add up?',
        description: 'Anything but 0 is a defect: runbook PushfleetRecordImbalance. Empty: nobody watches.',
        unit: 'short',
        badFrom: 1,
        series: { records: 'max(pushfleet_push_records{result="imbalanced"})' },
      }),
      number({
        title: 'How many pushes come in?',
        description: 'Suddenly none: look at the ingress, then at the senders.',
        unit: 'reqps',
        series: { pushes: 'pushfleet:pushes_accepted:rate5m' },
      }),
      number({
        title: 'How soon is a push answered (p99)?',
        description: 'Grows with a slow Redis first. Look at its memory and at the event loop of the ingress.',
        unit: 's',
        badFrom: 1,
        series: { answer: 'pushfleet:push_answer_seconds:p99_5m' },
      }),
      number({
        title: 'How long has the oldest direct push waited?',
        description: 'Over a minute: runbook PushfleetDirectBacklogOld.',
        unit: 's',
        badFrom: 60,
        series: { age: 'max(queue:pushfleet_oldest_push_age_seconds:max{queue!~".*-bulk"})' },
      }),
    ],
    'What is each vendor doing?': [
      graph({
        title: 'How many installations does each vendor have?',
        description: 'Targets of all apps. One that falls: saves are missing, or a vendor calls registrations dead.',
        unit: 'short',
        series: { '{{channel}}': 'max by (channel) (pushfleet_installations{state="target"})' },
      }),
      graph({
        title: 'How many devices does each vendor take?',
        description: 'A channel at 0 while pushes wait: look at its dashboard, breaker and pause first.',
        unit: 'cps',
        series: { '{{channel}}': 'channel:pushfleet_devices:rate5m{outcome="accepted"}' },
      }),
      graph({
        title: 'Which share of the calls does each vendor fail?',
        description: 'Over 50 %: the vendor is down, pushes wait; runbook PushfleetVendorDown.',
        unit: 'percentunit',
        badFrom: 0.5,
        series: { '{{channel}}': 'channel:pushfleet_vendor_failures:ratio_rate5m' },
      }),
      graph({
        title: 'How long does each vendor take for a call (p99)?',
        description: 'Calls in flight follow it. Twice the usual: the vendor is pressed or ill, and gets fewer.',
        unit: 's',
        series: { '{{channel}}': 'channel:pushfleet_vendor_call_seconds:p99_5m' },
      }),
      graph({
        title: 'How many profiles does no vendor call reach (breaker open)?',
        description: 'Pushes wait for the breaker to close. It probes by itself; runbook PushfleetVendorDown.',
        unit: 'short',
        badFrom: 1,
        series: { '{{channel}}': 'channel:pushfleet_breakers_not_closed:max' },
      }),
      graph({
        title: 'How long have direct pushes waited?',
        description: 'The oldest of each queue. Over a minute: runbook PushfleetDirectBacklogOld.',
        unit: 's',
        series: {
          '{{queue}}': 'queue:pushfleet_oldest_push_age_seconds:max{queue!~".*-bulk"}',
          'too long': 'pushfleet:direct_age_limit_seconds',
        },
      }),
      graph({
        title: 'How long have campaigns waited?',
        description:
          'The oldest of each queue. It grows while a large campaign is under way; add workers if it never falls.',
        unit: 's',
        series: {
          '{{queue}}': 'queue:pushfleet_oldest_push_age_seconds:max{queue=~".*-bulk"}',
          'too long': 'pushfleet:bulk_age_limit_seconds',
        },
      }),
      graph({
        title: 'When will the backlog of each channel be gone?',
        description:
          'Devices left by the rate of now; nothing for a channel that books nothing. Too long: add workers.',
        unit: 's',
        series: { '{{channel}}': 'channel:pushfleet_drain:seconds' },
      }),
      graph({
        title: 'How many processes take the jobs of each queue?',
        description: '0 with jobs waiting: start a worker for the channel; runbook PushfleetNoConsumer.',
        unit: 'short',
        series: { '{{queue}}': 'queue:pushfleet_consumers:sum' },
      }),
    ],
    'Are Redis and the processes well?': [
      graph({
        title: 'How much memory does Redis use, and may it use?',
        description: 'Near its limit pushes are refused: runbook PushfleetRedisMemory.',
        unit: 'bytes',
        series: { '{{kind}} {{node}}': 'max by (node, kind) (pushfleet_redis_memory_bytes)' },
      }),
      graph({
        title: 'Which process is busy?',
        description: 'One core at most for each. A worker at 1 is full: add another.',
        unit: 'percentunit',
        series: { '{{service}} {{instance}}': 'rate(pushfleet_process_cpu_seconds_total[5m])' },
      }),
      graph({
        title: 'Which process grows?',
        description:
          'Memory of a worker is flat whatever the size of a campaign. If it grows for hours, restart it and report it.',
        unit: 'bytes',
        series: { '{{service}} {{instance}}': 'pushfleet_process_resident_memory_bytes' },
      }),
      graph({
        title: 'Which process stutters (event loop, p99)?',
        description: 'Over 0.1 s its answers and its locks are late: it is full, or the machine is.',
        unit: 's',
        badFrom: 0.1,
        series: { '{{service}} {{instance}}': 'pushfleet_nodejs_eventloop_lag_p99_seconds' },
      }),
    ],
  },
};
