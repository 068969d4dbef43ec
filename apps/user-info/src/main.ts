import { edgeLimitsOf } from '@pushfleet/http-edge';
import { closeServer, httpLimitsOf, listen, openInstruments, runService } from '@pushfleet/service-kit';
import { connectStore } from '@pushfleet/store';
import { buildApp } from './app';
import { loadConfig } from './config';
import { userInfoDialect } from './http/dialect';
import { openServer } from './http/server';
import { openUserInfoMetrics } from './metrics';

void runService('user-info', async (service) => {
  const { onClose, cutoff, announce } = service;
  const config = loadConfig();
  const { log, metrics, admin } = await openInstruments(service, { name: 'user-info', config });

  const onError = (err: Error): void => log.warn({ err }, 'redis');
  const { redis, store } = await connectStore(config, { patience: 'fail-fast', onError, vendors: new Map() });
  onClose('redis', () => redis.disconnect());
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
  admin.ready();
  log.info({ url, metrics: admin.url }, 'the user information API is open');
  announce({ urls: { userInfo: url, metrics: admin.url } });
});
