import { openTokenCache, openVendorHttp } from '@pushfleet/channel-kit';
import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { edgeLimitsOf, openEdgeServer } from '@pushfleet/http-edge';
import { httpLimitsOf, openDoor, type Role, type RoleParts } from '@pushfleet/service-kit';
import { openRoleStore, readRedisFacts } from '@pushfleet/store';
import { buildApp } from './app';
import { configSchema, ingressUrl, loadConsoleConfig, sessionSettings, type ConsoleConfig } from './config';
import { adminDialect } from './http/dialect';
import { LIVE_PACE } from './live/live-pace';
import { consoleMetrics } from './metrics';
import { openOidc, type Oidc } from './people/oidc/open-oidc';
import { oidcSettings } from './people/oidc/settings';
import { openPushApi } from './push-api';
import { openQueues } from './queues';
import { startReseal } from './start-reseal';
import { builtPages } from './web/web-files';

const VENDOR_TIMEOUT_MS = 10_000;
const SETTLING_MS = 5000;

function oidcOf({ config, log, stopping }: RoleParts<ConsoleConfig>): Oidc | undefined {
  const settings = oidcSettings(config);
  return settings && openOidc(settings, { secretKey: config.SECRET_KEY, now: Date.now, stopping, log });
}

export const role: Role<ConsoleConfig> = {
  name: 'console',
  loadConfig: loadConsoleConfig,
  configSchema,
  proxyHops: (config) => config.TRUSTED_PROXY_HOPS,
  async start(parts) {
    const { config, log, metrics, admin, onClose, stopping } = parts;
    const { redis, store, onError } = await openRoleStore(parts, { vendors: channelOfVendor, patience: 'fail-fast' });
    const queues = openQueues({ redis, namespace: config.KEY_PREFIX, onError }, channelNames);
    onClose('queues', () => queues.close());
    const http = openVendorHttp({ deadlineMs: VENDOR_TIMEOUT_MS, connectionsPerOrigin: 4 });
    onClose('vendor http', () => http.close());
    const tokens = openTokenCache(store.tokens, store.clock.now);

    const pushApiUrl = ingressUrl(config);
    if (pushApiUrl === undefined)
      log.warn('people cannot send: INGRESS_PUBLIC_URL is neither https:// nor a private address; set INGRESS_URL');
    const apiMetrics = consoleMetrics(metrics);
    const { listener, endStreams } = buildApp({
      adminToken: config.ADMIN_TOKEN,
      sessions: sessionSettings(config),
      oidc: oidcOf(parts),
      pages: builtPages(),
      limits: edgeLimitsOf(config),
      proxyHops: config.TRUSTED_PROXY_HOPS,
      store,
      channels: new Map(Object.entries(channels)),
      vendors: { http, tokens, now: store.clock.now, origins: config.origins, timeoutMs: VENDOR_TIMEOUT_MS },
      live: LIVE_PACE,
      settlingMs: SETTLING_MS,
      now: store.clock.now,
      staleAfterMs: config.INSTALLATION_STALE_AFTER_MS,
      deleteAfterMs: config.INSTALLATION_DELETE_AFTER_MS,
      queues,
      redisFacts: () => readRedisFacts(redis, { now: Date.now, namespace: config.KEY_PREFIX }),
      ingressUrl: config.INGRESS_PUBLIC_URL,
      pushApi: openPushApi(pushApiUrl),
      metrics: apiMetrics,
      log,
    });
    const server = openEdgeServer(
      { limits: httpLimitsOf(config), certificate: parts.certificate, dialect: adminDialect, metrics: apiMetrics },
      listener,
    );
    const url = await openDoor(parts, { server, variable: 'CONSOLE_PORT', config });
    // Before the door, which waits for what is under way.
    onClose('live streams', endStreams);

    const reseal = startReseal({ sealing: store.sealing, leases: store.leases, stopping, log });
    onClose('reseal', () => reseal.stop());

    log.info({ url, metrics: admin.url }, 'the admin API is open');
    return { console: url };
  },
};
