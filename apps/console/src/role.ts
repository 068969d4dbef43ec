import { openTokenCache, openVendorHttp } from '@pushfleet/channel-kit';
import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { edgeLimitsOf, openApiStore, openEdgeServer } from '@pushfleet/http-edge';
import { httpLimitsOf, openDoor, type Role } from '@pushfleet/service-kit';
import { readRedisFacts } from '@pushfleet/store';
import { buildApp } from './app';
import { loadConsoleConfig, sessionSettings, type ConsoleConfig } from './config';
import { adminDialect } from './http/dialect';
import { consoleMetrics } from './metrics';
import { openQueues } from './queues';
import { startReseal } from './start-reseal';
import { builtPages } from './web/web-files';

const VENDOR_TIMEOUT_MS = 10_000;
const SETTLING_MS = 5000;

export const role: Role<ConsoleConfig> = {
  name: 'console',
  loadConfig: loadConsoleConfig,
  async start(parts) {
    const { config, log, metrics, admin, onClose, stopping } = parts;
    const { redis, store, onError } = await openApiStore(parts, { vendors: channelOfVendor });
    const queues = openQueues({ redis, namespace: config.KEY_PREFIX, onError }, channelNames);
    onClose('queues', () => queues.close());
    const http = openVendorHttp({ deadlineMs: VENDOR_TIMEOUT_MS, connectionsPerOrigin: 4 });
    onClose('vendor http', () => http.close());
    const tokens = openTokenCache(store.tokens, Date.now);

    const apiMetrics = consoleMetrics(metrics);
    const { listener } = buildApp({
      adminToken: config.ADMIN_TOKEN,
      sessions: sessionSettings(config),
      pages: builtPages(),
      limits: edgeLimitsOf(config),
      proxyHops: config.TRUSTED_PROXY_HOPS,
      store,
      channels: new Map(Object.entries(channels)),
      vendors: { http, tokens, now: Date.now, origins: config.origins, timeoutMs: VENDOR_TIMEOUT_MS },
      settlingMs: SETTLING_MS,
      now: Date.now,
      staleAfterMs: config.INSTALLATION_STALE_AFTER_MS,
      deleteAfterMs: config.INSTALLATION_DELETE_AFTER_MS,
      queues,
      redisFacts: () => readRedisFacts(redis, Date.now),
      ingressUrl: config.INGRESS_PUBLIC_URL,
      metrics: apiMetrics,
      log,
    });
    const server = openEdgeServer(
      { limits: httpLimitsOf(config), dialect: adminDialect, metrics: apiMetrics },
      listener,
    );
    const url = await openDoor(parts, { server, variable: 'CONSOLE_PORT', config });

    const reseal = startReseal({ sealing: store.sealing, leases: store.leases, stopping, log });
    onClose('reseal', () => reseal.stop());

    log.info({ url, metrics: admin.url }, 'the admin API is open');
    return { console: url };
  },
};
