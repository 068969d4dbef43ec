import type { Metrics } from '@pushfleet/service-kit';

export type GatewayMetrics = ReturnType<typeof gatewayMetrics>;

export const gatewayMetrics = ({ counter, gauge, histogram }: Metrics) => ({
  connections: gauge({ name: 'pushfleet_gateway_connections', help: 'Open WebSockets.' }),
  installations: gauge({ name: 'pushfleet_gateway_installations', help: 'Installations that are logged in.' }),
  opened: counter({
    name: 'pushfleet_gateway_opened_total',
    help: 'WebSockets opened, by subprotocol.',
    labelNames: ['subprotocol'],
  }),
  refused: counter({
    name: 'pushfleet_gateway_refused_total',
    help: 'Connections refused because their address has too many.',
  }),
  closed: counter({
    name: 'pushfleet_gateway_closed_total',
    help: 'WebSockets closed, by what ended them.',
    labelNames: ['reason'],
  }),
  commands: counter({
    name: 'pushfleet_gateway_commands_total',
    help: 'Frames of devices, by command.',
    labelNames: ['command'],
  }),
  frameWaits: counter({
    name: 'pushfleet_gateway_frames_waited_total',
    help: 'Frames of devices that waited because others had their turn first.',
  }),
  logins: counter({ name: 'pushfleet_gateway_logins_total', help: 'Logins, by result.', labelNames: ['result'] }),
  sent: counter({ name: 'pushfleet_gateway_messages_sent_total', help: 'Messages sent, repeats included.' }),
  delivered: counter({
    name: 'pushfleet_gateway_messages_delivered_total',
    help: 'Messages that a device acknowledged, each counted once.',
  }),
  mailbox: histogram({
    name: 'pushfleet_gateway_mailbox_messages',
    help: 'Messages in the mailbox of a device when it logs in.',
    buckets: [0, 1, 2, 5, 10, 20, 50],
  }),
  expired: counter({
    name: 'pushfleet_gateway_messages_expired_total',
    help: 'Messages that had expired when their device logged in.',
  }),
  gaps: counter({ name: 'pushfleet_gateway_gaps_total', help: 'Times that all mailboxes were read again.' }),
});
