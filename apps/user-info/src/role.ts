import { edgeLimitsOf } from '@pushfleet/http-edge';
import { httpLimitsOf, openDoor, type Role } from '@pushfleet/service-kit';
import { openRoleStore } from '@pushfleet/store';
import { buildApp } from './app';
import { configSchema, loadConfig, type UserInfoConfig } from './config';
import { userInfoDialect } from './http/dialect';
import { openServer } from './http/server';
import { openUserInfoMetrics } from './metrics';

export const role: Role<UserInfoConfig> = {
  name: 'user-info',
  loadConfig,
  configSchema,
  proxyHops: (config) => config.TRUSTED_PROXY_HOPS,
  async start(parts) {
    const { config, log, metrics, admin, certificate } = parts;
    const { store } = await openRoleStore(parts, { vendors: new Map(), patience: 'fail-fast' });

    const apiMetrics = openUserInfoMetrics(metrics);
    const dialect = userInfoDialect(store.clock.now);
    const listener = buildApp({
      store,
      dialect,
      edgeLimits: edgeLimitsOf(config),
      publicUrls: config.USER_INFO_PUBLIC_URLS,
      windowMs: config.MAC_WINDOW_MS,
      proxyHops: config.TRUSTED_PROXY_HOPS,
      limits: {
        perAddress: config.MAC_FAILURES_PER_ADDRESS,
        perToken: config.MAC_FAILURES_PER_TOKEN,
        requestsPerToken: config.MAC_REQUESTS_PER_TOKEN,
      },
      metrics: apiMetrics,
      log,
      now: store.clock.now,
    });
    const server = openServer({ limits: httpLimitsOf(config), certificate, dialect, metrics: apiMetrics }, listener);
    const url = await openDoor(parts, { server, variable: 'USER_INFO_PORT', config });
    log.info({ url, metrics: admin.url }, 'the user information API is open');
    return { userInfo: url };
  },
};
