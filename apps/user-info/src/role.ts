import { edgeLimitsOf } from '@pushfleet/http-edge';
import { closeServer, httpLimitsOf, listen, type Role } from '@pushfleet/service-kit';
import { connectStore } from '@pushfleet/store';
import { buildApp } from './app';
import { loadConfig, type UserInfoConfig } from './config';
import { userInfoDialect } from './http/dialect';
import { openServer } from './http/server';
import { openUserInfoMetrics } from './metrics';

export const role: Role<UserInfoConfig> = {
  name: 'user-info',
  loadConfig,
  async start({ config, log, metrics, admin, onClose, cutoff, join }) {
    const onError = (err: Error): void => log.warn({ err }, 'redis');
    const { redis, store } = await connectStore(config, { patience: 'fail-fast', onError, vendors: new Map() });
    onClose('redis', () => redis.disconnect());
    await join(store);
    admin.addReadiness('redis', () => redis.ping());
    admin.addReadiness('secret-key', () => store.sealing.prove());

    const apiMetrics = openUserInfoMetrics(metrics);
    const dialect = userInfoDialect(Date.now);
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
      now: Date.now,
    });
    const server = openServer({ limits: httpLimitsOf(config), dialect, metrics: apiMetrics }, listener);
    const { url } = await listen(server, {
      port: config.USER_INFO_PORT,
      host: config.BIND_ADDRESS,
      variable: 'USER_INFO_PORT',
    });
    onClose('http', () => closeServer(server, cutoff));
    log.info({ url, metrics: admin.url }, 'the user information API is open');
    return { userInfo: url };
  },
};
