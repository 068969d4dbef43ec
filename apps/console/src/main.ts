import { openTokenCache, openVendorHttp } from '@pushfleet/channel-kit';
import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { closeServer, httpLimitsOf, listen, openHttpServer, openInstruments, runService } from '@pushfleet/service-kit';
import { connectStore, readRedisFacts } from '@pushfleet/store';
import { buildApp } from './app';
import { loadConsoleConfig } from './config';
import { consoleMetrics } from './metrics';
import { openQueues } from './queues';
import { startReseal } from './start-reseal';

/** Of an import, over a slow line. */
const REQUEST_TIMEOUT_MS = 300_000;
const VENDOR_TIMEOUT_MS = 10_000;

void runService('console', async (service) => {
  const { onClose, cutoff, stopping, announce } = service;
  const config = loadConsoleConfig();
  const { log, metrics, admin } = await openInstruments(service, { name: 'console', config });

  const onError = (err: Error): void => log.warn({ err }, 'redis');
  const { redis, store } = await connectStore(config, { patience: 'fail-fast', onError, vendors: channelOfVendor });
  onClose('redis', () => redis.disconnect());
  admin.addReadiness('redis', () => redis.ping());
  admin.addReadiness('secret-key', () => store.sealing.prove());
  const isStoreReachable = () => redis.ping().then(Boolean, () => false);
  const queues = openQueues({ redis, namespace: config.KEY_PREFIX, onError }, channelNames);
  onClose('queues', () => queues.close());
  const http = openVendorHttp({ deadlineMs: VENDOR_TIMEOUT_MS, connectionsPerOrigin: 4 });
  onClose('vendor http', () => http.close());
  const tokens = openTokenCache(store.tokens, Date.now);

  const app = buildApp({
    adminToken: config.ADMIN_TOKEN,
    proxyHops: config.TRUSTED_PROXY_HOPS,
    store,
    isStoreReachable,
    channels: new Map(Object.entries(channels)),
    vendors: { http, tokens, now: Date.now, origins: config.origins, timeoutMs: VENDOR_TIMEOUT_MS },
    now: Date.now,
    staleAfterMs: config.INSTALLATION_STALE_AFTER_MS,
    queues,
    redisFacts: () => readRedisFacts(redis, Date.now),
    ingressUrl: config.INGRESS_PUBLIC_URL,
    metrics: consoleMetrics(metrics),
    log,
  });
  const onRefused = (shortage: string): void => log.warn({ shortage }, 'a connection was refused');
  const server = openHttpServer(
    { limits: httpLimitsOf(config), onRefused, more: { requestTimeout: REQUEST_TIMEOUT_MS } },
    app,
  );
  const { url } = await listen(server, {
    port: config.CONSOLE_PORT,
    host: config.BIND_ADDRESS,
    variable: 'CONSOLE_PORT',
  });
  onClose('http', () => closeServer(server, cutoff));

  const reseal = startReseal({ sealing: store.sealing, leases: store.leases, stopping, log });
  onClose('reseal', () => reseal.stop());

  admin.ready();
  log.info({ url, metrics: admin.url }, 'the admin API is open');
  announce({ urls: { console: url, metrics: admin.url } });
});
