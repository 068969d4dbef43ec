import { createServer } from 'node:http';
import { openTokenCache, openVendorHttp } from '@pushfleet/channel-kit';
import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { closeServer, createLogger, listen, openMetrics, runService, serveAdmin } from '@pushfleet/service-kit';
import { openRedis, openStore } from '@pushfleet/store';
import { buildApp } from './app';
import { loadConsoleConfig } from './config';
import { registerConsoleMetrics } from './metrics';
import { openQueueDepths } from './queue-depths';

const VENDOR_TIMEOUT_MS = 10_000;

void runService('console', async ({ onClose, cutoff, stopping, logWith, announce }) => {
  const config = loadConsoleConfig();
  const log = createLogger(config, 'console');
  logWith(log);

  const metrics = openMetrics('console');
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());

  const onError = (err: Error) => log.warn({ err }, 'Redis');
  const redis = await openRedis({ url: config.REDIS_URL, patience: 'fail-fast', onError });
  onClose('redis', () => redis.disconnect());
  const isStoreReachable = () =>
    redis.ping().then(
      () => true,
      () => false,
    );
  admin.addReadiness('redis', () => redis.ping());

  const store = openStore({
    redis,
    namespace: config.KEY_PREFIX,
    secretKey: config.SECRET_KEY,
    previousSecretKey: config.SECRET_KEY_PREVIOUS,
    vendors: channelOfVendor,
  });
  const depths = openQueueDepths({ redis, namespace: config.KEY_PREFIX, onError }, channelNames);
  onClose('queues', () => depths.close());
  const http = openVendorHttp({ timeoutMs: VENDOR_TIMEOUT_MS, connectionsPerOrigin: 4 });
  onClose('vendor http', () => http.close());
  const tokens = openTokenCache(store.tokens, Date.now);

  const app = buildApp({
    adminToken: config.ADMIN_TOKEN,
    store,
    isStoreReachable,
    channels: new Map(Object.entries(channels)),
    vendors: { http, tokens, now: Date.now, origins: config.origins, timeoutMs: VENDOR_TIMEOUT_MS },
    queueDepths: () => depths.read(),
    ingressUrl: config.INGRESS_PUBLIC_URL,
    metrics: registerConsoleMetrics(metrics.registry),
    log,
  });
  const server = createServer(app);
  const { url } = await listen(server, {
    port: config.CONSOLE_PORT,
    host: config.BIND_ADDRESS,
    variable: 'CONSOLE_PORT',
  });
  onClose('http', () => closeServer(server, cutoff));

  admin.ready();
  log.info({ url, metrics: admin.url }, 'the admin API is open');
  announce({ urls: { console: url, metrics: admin.url } });
});
