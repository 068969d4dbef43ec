import type { DashboardPlan } from './build-dashboard';
import { graph } from './panels';

export const ownChannel: DashboardPlan = {
  name: 'own-channel',
  title: 'Own channel',
  description: 'The WebSockets of the gateways, and the mailboxes behind them.',
  rows: {
    'Are devices connected?': [
      graph({
        title: 'How many connections does each gateway hold?',
        description: 'All fall at once: runbook PushfleetGatewayDrop. One falls: it drains or was restarted.',
        unit: 'short',
        series: { '{{instance}}': 'pushfleet_gateway_connections', all: 'pushfleet:gateway_connections:sum' },
      }),
      graph({
        title: 'How many installations are logged in?',
        description: 'Far fewer than connections: devices do not log in; look at the logins.',
        unit: 'short',
        series: { '{{instance}}': 'pushfleet_gateway_installations' },
      }),
      graph({
        title: 'How do logins end?',
        description: 'app-unknown: devices of an app that was deleted, or that use a wrong id.',
        unit: 'cps',
        series: { '{{result}}': 'sum by (result) (rate(pushfleet_gateway_logins_total[5m]))' },
      }),
      graph({
        title: 'Why do connections end?',
        description: 'Idle and gone are normal. slow-reader: devices that do not read what is sent.',
        unit: 'cps',
        series: { '{{reason}}': 'sum by (reason) (rate(pushfleet_gateway_closed_total[5m]))' },
      }),
      graph({
        title: 'How many connections are opened, and refused?',
        description: 'Refused: an address has too many. Behind a proxy, PROXY_HOPS must tell how many there are.',
        unit: 'cps',
        series: {
          'opened {{subprotocol}}': 'sum by (subprotocol) (rate(pushfleet_gateway_opened_total[5m]))',
          refused: 'sum(rate(pushfleet_gateway_refused_total[5m]))',
        },
      }),
      graph({
        title: 'What do devices send?',
        description: 'ack follows data. Many logins without acks: devices connect and go.',
        unit: 'cps',
        series: {
          '{{command}}': 'sum by (command) (rate(pushfleet_gateway_commands_total[5m]))',
          'waited for others': 'sum(rate(pushfleet_gateway_frames_waited_total[5m]))',
        },
      }),
    ],
    'Are messages delivered?': [
      graph({
        title: 'How many messages are stored, sent and delivered?',
        description: 'delivered stays below stored as devices come and go. sent far above delivered: acks are lost.',
        unit: 'cps',
        series: {
          stored: 'sum(channel:pushfleet_devices:rate5m{channel="own", outcome="accepted"})',
          sent: 'sum(rate(pushfleet_gateway_messages_sent_total[5m]))',
          delivered: 'sum(rate(pushfleet_gateway_messages_delivered_total[5m]))',
        },
      }),
      graph({
        title: 'How full is a mailbox when its device logs in?',
        description: 'Near 50 messages are about to be lost: devices are away for longer than the pushes are worth.',
        unit: 'short',
        series: {
          mean: 'sum(rate(pushfleet_gateway_mailbox_messages_sum[5m])) / (sum(rate(pushfleet_gateway_mailbox_messages_count[5m])) > 0)',
          p99: 'histogram_quantile(0.99, sum by (le) (rate(pushfleet_gateway_mailbox_messages_bucket[5m])))',
        },
      }),
      graph({
        title: 'How many messages are lost?',
        description:
          'evicted: a mailbox was full. expired: the device came too late. swept: messages of an app that held more than its share of Redis. All are booked as lapsed.',
        unit: 'cps',
        series: {
          evicted: 'sum(rate(pushfleet_channel_messages_evicted_total[5m]))',
          expired: 'sum(rate(pushfleet_gateway_messages_expired_total[5m]))',
          swept: 'sum(rate(pushfleet_dispatcher_swept_texts_total[5m]))',
        },
      }),
      graph({
        title: 'How often are all mailboxes read again?',
        description:
          'After every reconnect to Redis. Often: the connection of a gateway to Redis breaks again and again.',
        unit: 'cps',
        series: { '{{instance}}': 'rate(pushfleet_gateway_gaps_total[5m])' },
      }),
    ],
  },
};
