import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { edgeLimitsOf, openEdgeServer } from '@pushfleet/http-edge';
import {
  directQueue,
  openProducer,
  openQueueTelemetry,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  queuesOf,
  RECEIPTS,
  type Envelope,
  type Producer,
  type ReceiptsJob,
} from '@pushfleet/queues';
import { httpLimitsOf, openDoor, type Role } from '@pushfleet/service-kit';
import { openRoleStore } from '@pushfleet/store';
import { buildApp } from './app';
import { configSchema, loadConfig, type IngressConfig } from './config';
import { apiDialect } from './http/problem';
import { openIngressMetrics } from './metrics';

export const role: Role<IngressConfig> = {
  name: 'ingress',
  loadConfig,
  configSchema,
  proxyHops: (config) => config.TRUSTED_PROXY_HOPS,
  async start(parts) {
    const { config, log, metrics, admin, tracing, certificate, onClose } = parts;
    const telemetry = await openQueueTelemetry(tracing.isOn);

    const ingressMetrics = openIngressMetrics(metrics);
    const { redis, store, onError } = await openRoleStore(parts, {
      vendors: channelOfVendor,
      patience: 'fail-fast',
      onEvicted: ingressMetrics.installationsEvicted,
    });
    const namespace = config.KEY_PREFIX;
    const open = <T>(queue: string): Producer<T> => {
      const producer = openProducer<T>({ redis, namespace, queue, onError, clock: store.clock, telemetry });
      onClose(queue, () => producer.close());
      return producer;
    };

    const direct = queuesOf([...channelNames, OWN_CHANNEL], (channel) => open(directQueue(channel)));
    const { listener } = buildApp({
      store,
      queues: {
        requests: open<Envelope>(PUSH_REQUESTS),
        schedule: open<Envelope>(PUSH_SCHEDULE),
        receipts: open<ReceiptsJob>(RECEIPTS),
        direct: direct.of,
      },
      channels,
      metrics: ingressMetrics,
      limits: edgeLimitsOf(config),
      proxyHops: config.TRUSTED_PROXY_HOPS,
      log,
      tracing,
      now: store.clock.now,
      publicUrl: config.INGRESS_PUBLIC_URL,
      signMaxAgeMs: config.SIGN_MAX_AGE_MS,
      offlineMessageRetentionMs: config.OFFLINE_MESSAGE_RETENTION_MS,
    });
    const server = openEdgeServer(
      { limits: httpLimitsOf(config), certificate, dialect: apiDialect, metrics: ingressMetrics },
      listener,
    );
    const url = await openDoor(parts, { server, variable: 'INGRESS_PORT', config });
    log.info({ url, metrics: admin.url }, 'the push API is open');
    return { ingress: url };
  },
};
