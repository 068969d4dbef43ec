import type { DashboardPlan } from './build-dashboard';
import { graph } from './panels';

const OF_SERVICE = 'service="user-info"';

export const userInfo: DashboardPlan = {
  name: 'user-info',
  title: 'User information',
  description: 'Look-ups of users, signed with a MAC.',
  rows: {
    'Are look-ups answered?': [
      graph({
        title: 'How do look-ups end?',
        description:
          'ok is good. invalid_time: clocks of callers are wrong. access_denied: tokens are wrong or revoked. slow_down: somebody guesses.',
        unit: 'reqps',
        series: { '{{outcome}}': 'sum by (outcome) (rate(pushfleet_user_info_requests_total[5m]))' },
      }),
      graph({
        title: 'Which share of the look-ups fails because of us?',
        description: 'Over 5 %: runbook PushfleetUserInfoFails.',
        unit: 'percentunit',
        badFrom: 0.05,
        series: {
          failed:
            '(sum(rate(pushfleet_user_info_requests_total{outcome="server_error"}[5m])) or vector(0)) / (sum(rate(pushfleet_user_info_requests_total[5m])) > 0)',
        },
      }),
      graph({
        title: 'How soon is a look-up answered?',
        description: 'A few milliseconds. Grows with a slow Redis, or with a full process: add one.',
        unit: 's',
        series: {
          p50: 'histogram_quantile(0.5, sum by (le) (rate(pushfleet_user_info_request_duration_seconds_bucket[5m])))',
          p99: 'histogram_quantile(0.99, sum by (le) (rate(pushfleet_user_info_request_duration_seconds_bucket[5m])))',
        },
      }),
    ],
    'Is the process well?': [
      graph({
        title: 'How busy is each process?',
        description: 'One core at most. Near 1: add a process.',
        unit: 'percentunit',
        series: { '{{instance}}': `rate(pushfleet_process_cpu_seconds_total{${OF_SERVICE}}[5m])` },
      }),
      graph({
        title: 'Does a process stutter (event loop, p99)?',
        description: 'Over 0.1 s answers are late: the process is full, or its machine is.',
        unit: 's',
        badFrom: 0.1,
        series: { '{{instance}}': `pushfleet_nodejs_eventloop_lag_p99_seconds{${OF_SERVICE}}` },
      }),
    ],
  },
};
