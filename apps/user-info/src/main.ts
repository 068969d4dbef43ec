import { closeServer, createLogger, listen, openMetrics, runService, serveAdmin } from '@pushfleet/service-kit';
import { openRedis, openStore } from '@pushfleet/store';
import { buildApp } from './app';
import { loadConfig } from './config';
import { openServer } from './http/server';
import { openUserInfoMetrics } from './metrics';

void runService('user-info', async ({ onClose, cutoff, stopping, logWith, announce }) => {
  const config = loadConfig();
  const log = createLogger(config, 'user-info');
  logWith(log);
  const metrics = openMetrics('user-info');
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());

  const onError = (err: Error): void => log.warn({ err }, 'redis');
  const redis = await openRedis({ url: config.REDIS_URL, patience: 'fail-fast', onError });
  onClose('redis', () => redis.disconnect());
  admin.addReadiness('redis', () => redis.ping());
  const store = openStore({
    redis,
    namespace: config.KEY_PREFIX,
    secretKey: config.SECRET_KEY,
    previousSecretKey: config.SECRET_KEY_PREVIOUS,
    vendors: new Map(),
  });

  const app = buildApp({
    store,
    publicUrls: config.USER_INFO_PUBLIC_URLS,
    windowMs: config.MAC_WINDOW_MS,
    limits: { perAddress: config.MAC_FAILURES_PER_ADDRESS, perToken: config.MAC_FAILURES_PER_TOKEN },
    metrics: openUserInfoMetrics(metrics),
    log,
    now: Date.now,
  });
  const server = openServer(app);
  const { url } = await listen(server, {
    port: config.USER_INFO_PORT,
    host: config.BIND_ADDRESS,
    variable: 'USER_INFO_PORT',
  });
  onClose('http', () => closeServer(server, cutoff));
  admin.ready();
  announce({ urls: { userInfo: url, metrics: admin.url } });
});
