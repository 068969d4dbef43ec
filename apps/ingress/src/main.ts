import { channelOfVendor, channels } from '@pushfleet/channels';
import { openProducer, PUSH_REQUESTS, PUSH_SCHEDULE, RECEIPTS, type Producer } from '@pushfleet/queues';
import { closeServer, createLogger, listen, openMetrics, runService, serveAdmin } from '@pushfleet/service-kit';
import { openRedis, openStore } from '@pushfleet/store';
import { buildApp } from './app';
import { loadConfig } from './config';
import { openServer } from './http/server';
import { openIngressMetrics } from './metrics';

void runService('ingress', async ({ onClose, cutoff, stopping, logWith, announce }) => {
  const config = loadConfig();
  const log = createLogger(config, 'ingress');
  logWith(log);
  const metrics = openMetrics('ingress');
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());

  const onError = (err: Error): void => log.warn({ err }, 'redis');
  const redis = await openRedis({ url: config.REDIS_URL, patience: 'fail-fast', onError });
  onClose('redis', () => redis.disconnect());
  admin.addReadiness('redis', () => redis.ping());
  const namespace = config.KEY_PREFIX;
  const store = openStore({
    redis,
    namespace,
    secretKey: config.SECRET_KEY,
    previousSecretKey: config.SECRET_KEY_PREVIOUS,
    vendors: channelOfVendor,
  });
  const open = <T>(queue: string): Producer<T> => {
    const producer = openProducer<T>({ redis, namespace, queue, onError });
    onClose(queue, () => producer.close());
    return producer;
  };

  const app = buildApp({
    store,
    queues: { requests: open(PUSH_REQUESTS), schedule: open(PUSH_SCHEDULE), receipts: open(RECEIPTS) },
    channels,
    metrics: openIngressMetrics(metrics),
    log,
    now: Date.now,
    publicUrl: config.INGRESS_PUBLIC_URL,
    signMaxAgeMs: config.SIGN_MAX_AGE_MS,
  });
  const server = openServer(app);
  const { url } = await listen(server, {
    port: config.INGRESS_PORT,
    host: config.BIND_ADDRESS,
    variable: 'INGRESS_PORT',
  });
  onClose('http', () => closeServer(server, cutoff));
  admin.ready();
  announce({ urls: { ingress: url, metrics: admin.url } });
});
