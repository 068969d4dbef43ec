import { channelOfVendor, channels } from '@pushfleet/channels';
import { edgeLimitsOf, openEdgeServer } from '@pushfleet/http-edge';
import {
  openProducer,
  openQueueTelemetry,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  RECEIPTS,
  type Producer,
} from '@pushfleet/queues';
import { closeServer, httpLimitsOf, listen, type Role } from '@pushfleet/service-kit';
import { connectStore } from '@pushfleet/store';
import { buildApp } from './app';
import { loadConfig, type IngressConfig } from './config';
import { apiDialect } from './http/problem';
import { openIngressMetrics } from './metrics';

export const role: Role<IngressConfig> = {
  name: 'ingress',
  loadConfig,
  async start({ config, log, metrics, admin, tracing, onClose, cutoff, join }) {
    const telemetry = await openQueueTelemetry(tracing.isOn);

    const onError = (err: Error): void => log.warn({ err }, 'redis');
    const ingressMetrics = openIngressMetrics(metrics);
    const onEvicted = (app: string, count: number): void => {
      ingressMetrics.installationsEvicted(count);
      log.warn({ app, count }, 'unconfirmed installations made room: the app has as many as it may');
    };
    const options = { patience: 'fail-fast', onError, vendors: channelOfVendor, onEvicted } as const;
    const { redis, store } = await connectStore(config, options);
    onClose('redis', () => redis.disconnect());
    await join(store);
    admin.addReadiness('redis', () => redis.ping());
    admin.addReadiness('secret-key', () => store.sealing.prove());
    const namespace = config.KEY_PREFIX;
    const open = <T>(queue: string): Producer<T> => {
      const producer = openProducer<T>({ redis, namespace, queue, onError, telemetry });
      onClose(queue, () => producer.close());
      return producer;
    };

    const { listener } = buildApp({
      store,
      queues: { requests: open(PUSH_REQUESTS), schedule: open(PUSH_SCHEDULE), receipts: open(RECEIPTS) },
      channels,
      metrics: ingressMetrics,
      limits: edgeLimitsOf(config),
      proxyHops: config.TRUSTED_PROXY_HOPS,
      log,
      tracing,
      now: Date.now,
      publicUrl: config.INGRESS_PUBLIC_URL,
      signMaxAgeMs: config.SIGN_MAX_AGE_MS,
    });
    const server = openEdgeServer(
      { limits: httpLimitsOf(config), dialect: apiDialect, metrics: ingressMetrics },
      listener,
    );
    const { url } = await listen(server, {
      port: config.INGRESS_PORT,
      host: config.BIND_ADDRESS,
      variable: 'INGRESS_PORT',
    });
    onClose('http', () => closeServer(server, cutoff));
    log.info({ url, metrics: admin.url }, 'the push API is open');
    return { ingress: url };
  },
};
