import { channelOfVendor, channels } from '@pushfleet/channels';
import { openTokenCache, openVendorHttp } from '@pushfleet/channel-kit';
import { OWN_CHANNEL, PAGE_DEVICES } from '@pushfleet/domain';
import {
  bulkQueue,
  directQueue,
  openProducer,
  openQueueTelemetry,
  progressCheck,
  type ChannelJob,
} from '@pushfleet/queues';
import { closeAtSignal, type Role, type RoleParts } from '@pushfleet/service-kit';
import { openRoleStore, type Store } from '@pushfleet/store';
import { openChannelSessions } from './channel-sessions';
import { configSchema, loadConfig, type Config } from './config';
import { startConfirming } from './confirm';
import { openChannelConsumers } from './consumers';
import { openDeadlines } from './deadlines';
import { workerMetrics, type WorkerMetrics } from './metrics';
import { callLimitsFor } from './pace/call-limits';
import { openPace } from './pace/open-pace';
import { paceReporters, reporters } from './report';

export const role: Role<Config> = {
  name: 'channel-worker',
  loadConfig,
  configSchema,
  labels: ({ CHANNEL: channel }) => ({ channel }),
  async start(parts) {
    const { config, log, metrics, admin, tracing, onClose, onStopping, cutoff, stopping } = parts;
    const { CHANNEL: channel, KEY_PREFIX: namespace } = config;
    const counters = workerMetrics(metrics);
    const telemetry = await openQueueTelemetry(tracing.isOn);

    const { redis, store, onError } = await openRoleStore(parts, { vendors: channelOfVendor, patience: 'wait' });

    const confirming = startConfirming(store, log);
    onClose('confirmations', () => confirming.stop());

    const { VENDOR_TIMEOUT_MS: addressedMs, VENDOR_CAMPAIGN_TIMEOUT_MS: campaignMs } = config;
    const deadlineMs = Math.max(addressedMs, campaignMs);
    const { sessions, maxBatch } = openChannel(parts, { store, metrics: counters, deadlineMs });

    const at = (queue: string) => ({ redis, namespace, queue, onError, telemetry });
    const direct = openProducer<ChannelJob>(at(directQueue(channel)));
    onClose('direct producer', () => direct.close());
    const bulk = openProducer<ChannelJob>(at(bulkQueue(channel)));
    onClose('bulk producer', () => bulk.close());

    const limits = callLimitsFor(config);
    const pace = await openPace({
      limits,
      store: store.pacing,
      channel,
      maxBatch,
      longestCallMs: deadlineMs,
      sessions,
      metrics: counters,
      now: store.clock.now,
      ...paceReporters(channel, counters, log),
      onLoosened: async () => void (await Promise.all([direct.hurry(), bulk.hurry()])),
    });
    onClose('pace', () => pace.stop());
    store.settings.onChange(() => pace.refresh());

    const ports = {
      pace: pace.gate,
      store,
      sessions,
      channel,
      direct,
      bulk,
      metrics: counters,
      cutoff,
      stopping,
      now: store.clock.now,
      ...reporters(channel, counters, log),
      ingressPublicUrl: config.INGRESS_PUBLIC_URL,
      addressedBy: channel === OWN_CHANNEL ? ('objectId' as const) : ('registrationId' as const),
      maxBatch,
      deadlines: openDeadlines({ cutoff, addressedMs, campaignMs }),
      sliceDevices: config.SLICE_DEVICES,
    };
    const consumers = openChannelConsumers(ports, { at, config, log, limits });
    closeAtSignal({ onStopping, onClose }, 'consumers', () => Promise.all(consumers.map((one) => one.close())));
    for (const consumer of consumers) {
      const producer = consumer.queue === direct.queue ? direct : bulk;
      admin.addLiveness(`progress of ${consumer.queue}`, progressCheck(consumer, producer));
    }

    log.info({ metrics: admin.url }, 'serving');
    return {};
  },
};

interface ChannelParts {
  readonly store: Store;
  readonly metrics: WorkerMetrics;
  readonly deadlineMs: number;
}

/** The sessions of the channel, and for how many devices each of their calls is. */
function openChannel({ config, log, onClose }: RoleParts<Config>, { store, metrics, deadlineMs }: ChannelParts) {
  const connectionsPerOrigin = 2 * (config.SEND_CONCURRENCY + config.DIRECT_CONCURRENCY);
  const http = openVendorHttp({ deadlineMs, connectionsPerOrigin });
  onClose('vendor connections', () => http.close());
  const tokens = openTokenCache(store.tokens, store.clock.now, deadlineMs);
  const deps = { http, tokens, now: store.clock.now, origins: config.origins };
  const definition = Object.values(channels).find(({ name }) => name === config.CHANNEL);
  return {
    sessions: openChannelSessions(config, { store, definition, deps, metrics, log }),
    maxBatch: Math.min(config.MAX_BATCH ?? Infinity, definition?.capabilities.maxBatch ?? PAGE_DEVICES),
  };
}
