import { isStillAhead } from '@pushfleet/domain';
import type { Logger } from '@pushfleet/service-kit';
import type { Hub, HubPorts } from './hub';
import type { GatewayMetrics } from './metrics';
import type { ServerPorts } from './server';

const QUIET_MS = 1000;

/** In an outage of Redis everything fails for the same reason: each kind of it is told once a second. */
export function throttledWarnings(log: Pick<Logger, 'warn'>, now: () => number): HubPorts['onError'] {
  const quietUntil = new Map<string, number>();
  return (err, doing) => {
    if (isStillAhead(quietUntil.get(doing) ?? 0, now(), QUIET_MS)) return;
    quietUntil.set(doing, now() + QUIET_MS);
    log.warn({ err, doing }, 'failed, and will be tried again');
  };
}

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
