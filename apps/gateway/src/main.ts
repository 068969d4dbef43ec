import { channelOfVendor } from '@pushfleet/channels';
import { createLogger, openMetrics, runService, serveAdmin } from '@pushfleet/service-kit';
import { openRedis, openStore } from '@pushfleet/store';
import { loadConfig } from './config';
import { drain } from './drain';
import { gatewayMetrics } from './metrics';
import { openGateway } from './open-gateway';
import { throttledWarnings } from './report';

/** For closing what is left after the drain. */
const FAREWELL_MS = 5000;

void runService('gateway', async ({ onClose, cutoff, stopping, logWith, announce, drainWithin }) => {
  const config = loadConfig();
  drainWithin(config.DRAIN_MS + FAREWELL_MS);
  const log = createLogger(config, 'gateway');
  logWith(log);
  const metrics = openMetrics('gateway');
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());

  const onError = throttledWarnings(log, Date.now);
  const onRedisError = (error: Error): void => onError(error, 'redis');
  const redis = await openRedis({ url: config.REDIS_URL, patience: 'wait', onError: onRedisError });
  onClose('redis', () => redis.disconnect());
  admin.addReadiness('redis', () => redis.ping());
  const { KEY_PREFIX: namespace, SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: previousSecretKey } = config;
  const store = openStore({ redis, namespace, secretKey, previousSecretKey, vendors: channelOfVendor });

  const gateway = await openGateway({ store, config, metrics: gatewayMetrics(metrics), now: Date.now, onError });
  const { server, heartbeat, url, urls, node } = gateway;
  onClose('heartbeat', () => heartbeat.stop());
  onClose('watch', () => gateway.stopWatching());
  onClose('devices', () => drain({ server, heartbeat, cutoff, drainMs: config.DRAIN_MS, log }));

  admin.ready();
  announce({ urls: { gateway: url, metrics: admin.url } });
  log.info({ url, urls, node, metrics: admin.url }, 'holding connections');
});
