import { channelOfVendor, channels } from '@pushfleet/channels';
import { openTokenCache, openVendorHttp } from '@pushfleet/channel-kit';
import { OWN_CHANNEL } from '@pushfleet/domain';
import { bulkQueue, directQueue, openProducer, progressCheck, type ChannelJob } from '@pushfleet/queues';
import { createLogger, openMetrics, runService, serveAdmin } from '@pushfleet/service-kit';
import { openRedis, openStore } from '@pushfleet/store';
import { loadConfig, ownLimits } from './config';
import { openChannelConsumers } from './consumers';
import { workerMetrics } from './metrics';
import { openOwnSessions } from './own-session';
import { reporters } from './report';
import { openSessions } from './sessions';

void runService('channel-worker', async ({ onClose, cutoff, stopping, logWith, announce }) => {
  const config = loadConfig();
  const { CHANNEL: channel, KEY_PREFIX: namespace } = config;
  const log = createLogger(config, 'channel-worker').child({ channel });
  logWith(log);
  const metrics = openMetrics('channel-worker');
  const counters = workerMetrics(metrics);
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());

  const onError = (err: Error): void => log.warn({ err }, 'redis');
  const redis = await openRedis({ url: config.REDIS_URL, patience: 'wait', onError });
  onClose('redis', () => redis.quit());
  admin.addReadiness('redis', () => redis.ping());
  const secrets = { secretKey: config.SECRET_KEY, previousSecretKey: config.SECRET_KEY_PREVIOUS };
  const store = openStore({ redis, namespace, vendors: channelOfVendor, ...secrets });

  const connections = config.SEND_CONCURRENCY + config.DIRECT_CONCURRENCY;
  const http = openVendorHttp({ timeoutMs: config.VENDOR_TIMEOUT_MS, connectionsPerOrigin: connections });
  onClose('vendor connections', () => http.close());
  const deps = { http, tokens: openTokenCache(store.tokens, Date.now), now: Date.now, origins: config.origins };
  const definition = Object.values(channels).find(({ name }) => name === channel);
  const isOwn = channel === OWN_CHANNEL;
  const sessions = isOwn
    ? openOwnSessions({
        store,
        now: Date.now,
        ...ownLimits(config),
        onHintLost: (err) => log.warn({ err }, 'hint lost'),
      })
    : openSessions(definition, store.profiles, deps);

  const at = (queue: string) => ({ redis, namespace, queue, onError });
  const direct = openProducer<ChannelJob>(at(directQueue(channel)));
  onClose('direct producer', () => direct.close());
  const bulk = openProducer<ChannelJob>(at(bulkQueue(channel)));
  onClose('bulk producer', () => bulk.close());

  const ports = {
    ...{ store, sessions, channel, direct, bulk, metrics: counters, cutoff, stopping, now: Date.now },
    ...reporters(channel, counters, log),
    ingressPublicUrl: config.INGRESS_PUBLIC_URL,
    addressedBy: isOwn ? ('objectId' as const) : ('registrationId' as const),
    maxBatch: definition?.capabilities.maxBatch ?? 1000,
    sliceDevices: config.SLICE_DEVICES,
  };
  const consumers = openChannelConsumers(ports, { at, config, log });
  onClose('consumers', () => Promise.all(consumers.map((consumer) => consumer.close())));
  for (const consumer of consumers) {
    const producer = consumer.queue === direct.queue ? direct : bulk;
    admin.addLiveness(`progress of ${consumer.queue}`, progressCheck(consumer, producer));
  }

  admin.ready();
  announce({ urls: { metrics: admin.url } });
  log.info({ metrics: admin.url }, 'serving');
});
