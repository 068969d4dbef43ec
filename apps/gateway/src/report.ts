import type { Hub, HubPorts } from './hub';
import type { GatewayMetrics } from './metrics';
import type { ServerPorts } from './server';

export const hubReports = (metrics: GatewayMetrics): Pick<HubPorts, 'onDelivered' | 'onLogin' | 'onBacklog'> => ({
  onDelivered: () => metrics.delivered.inc(),
  onLogin: (result) => metrics.logins.inc({ result }),
  onBacklog(messages, expired) {
    metrics.mailbox.observe(messages);
    metrics.expired.inc(expired);
  },
});

export const serverReports = (
  metrics: GatewayMetrics,
  hub: Hub,
): Pick<ServerPorts, 'perform' | 'onCommand' | 'onSent' | 'onClosed' | 'onOpened' | 'onRefused'> => ({
  perform: (connection, effect) => hub.perform(connection, effect),
  onCommand: (command) => metrics.commands.inc({ command }),
  onSent: ({ messages = [] }) => metrics.sent.inc(messages.length),
  onClosed: (_, reason) => metrics.closed.inc({ reason }),
  onOpened: (subprotocol) => metrics.opened.inc({ subprotocol: subprotocol || 'none' }),
  onRefused: () => metrics.refused.inc(),
});
