import { channelOfVendor } from '@pushfleet/channels';
import { openInstruments, runService } from '@pushfleet/service-kit';
import { connectStore } from '@pushfleet/store';
import { loadConfig } from './config';
import { drain } from './drain';
import { gatewayMetrics } from './metrics';
import { openGateway } from './open-gateway';
import { throttledWarnings } from './report';

/** For closing what is left after the drain. */
const FAREWELL_MS = 5000;

void runService('gateway', async (service) => {
  const { onClose, cutoff, announce, drainWithin } = service;
  const config = loadConfig();
  drainWithin(config.DRAIN_MS + FAREWELL_MS);
  const { log, metrics, admin } = await openInstruments(service, { name: 'gateway', config });

  const onError = throttledWarnings(log, Date.now);
  const onRedisError = (error: Error): void => onError(error, 'redis');
  const { redis, store } = await connectStore(config, {
    patience: 'wait',
    onError: onRedisError,
    vendors: channelOfVendor,
  });
  onClose('redis', () => redis.disconnect());
  admin.addReadiness('redis', () => redis.ping());

  const gateway = await openGateway({ store, config, metrics: gatewayMetrics(metrics), now: Date.now, onError });
  const { server, heartbeat, url, urls, node } = gateway;
  onClose('heartbeat', () => heartbeat.stop());
  onClose('watch', () => gateway.stopWatching());
  onClose('devices', () => drain({ server, heartbeat, cutoff, drainMs: config.DRAIN_MS, log }));

  admin.ready();
  announce({ urls: { gateway: url, metrics: admin.url } });
  log.info({ url, urls, node, metrics: admin.url }, 'holding connections');
});
