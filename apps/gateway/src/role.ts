import { channelOfVendor } from '@pushfleet/channels';
import { type Role } from '@pushfleet/service-kit';
import { openRoleStore } from '@pushfleet/store';
import { configSchema, loadConfig, type GatewayConfig } from './config';
import { drain } from './drain';
import { gatewayMetrics } from './metrics';
import { openGateway } from './open-gateway';

/** For closing what is left after the drain. */
const FAREWELL_MS = 5000;

export const role: Role<GatewayConfig> = {
  name: 'gateway',
  loadConfig,
  configSchema,
  proxyHops: (config) => config.PROXY_HOPS,
  async start(parts) {
    const { config, log, metrics, admin, listen, certificate, onClose, cutoff, drainWithin } = parts;
    drainWithin(config.DRAIN_MS + FAREWELL_MS);

    const onError = (err: unknown, doing: string): void => log.warn({ err, doing }, 'failed, and will be tried again');
    const { store } = await openRoleStore(parts, {
      vendors: channelOfVendor,
      patience: 'wait',
      close: 'disconnect',
    });

    const gateway = await openGateway({
      store,
      config,
      listen,
      certificate,
      onError,
      metrics: gatewayMetrics(metrics),
      now: store.clock.now,
    });
    const { server, heartbeat, url, urls, node } = gateway;
    onClose('heartbeat', () => heartbeat.stop());
    onClose('watch', () => gateway.stopWatching());
    onClose('devices', () => drain({ server, heartbeat, cutoff, drainMs: config.DRAIN_MS, log }));

    log.info({ url, urls, node, metrics: admin.url }, 'holding connections');
    return { gateway: url };
  },
};
