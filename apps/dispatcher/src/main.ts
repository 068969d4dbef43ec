import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { OWN_CHANNEL } from '@pushfleet/domain';
import {
  openProducer,
  progressCheck,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  type Envelope,
  type Producer,
} from '@pushfleet/queues';
import { createLogger, openMetrics, runService, serveAdmin } from '@pushfleet/service-kit';
import { openRedis, openStore } from '@pushfleet/store';
import { openChannelQueues } from './channel-queues';
import { loadConfig } from './config';
import { openConsumers } from './consumers';
import { dispatcherMetrics } from './metrics';
import { redriveOnce } from './redrive';
import { repeat } from './repeat';
import { OWN_TRAITS, type ChannelTraits } from './routing';
import { sweepInstallations } from './sweep-installations';

/** Each app once a day; the claims are looked at more often, in case somebody's sweep was cut off. */
const SWEEP_EVERY_MS = 86_400_000;
const SWEEP_PAUSE_MS = 600_000;

void runService('dispatcher', async ({ onClose, stopping, logWith, announce }) => {
  const config = loadConfig();
  const log = createLogger(config, 'dispatcher');
  logWith(log);
  const metrics = openMetrics('dispatcher');
  const counters = dispatcherMetrics(metrics);
  const admin = await serveAdmin(config, { metrics, stopping });
  onClose('admin', () => admin.close());

  const onError = (err: Error): void => log.warn({ err }, 'redis');
  const redis = await openRedis({ url: config.REDIS_URL, patience: 'wait', onError });
  onClose('redis', () => redis.quit());
  admin.addReadiness('redis', () => redis.ping());
  const { KEY_PREFIX: namespace, SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: previousSecretKey } = config;
  const store = openStore({ redis, namespace, secretKey, previousSecretKey, vendors: channelOfVendor });

  const at = (queue: string) => ({ redis, namespace, queue, onError });
  const produce = <T>(queue: string): Producer<T> => {
    const producer = openProducer<T>(at(queue));
    onClose(`producer ${queue}`, () => producer.close());
    return producer;
  };
  const queues = openChannelQueues([...channelNames, OWN_CHANNEL], produce);
  const requests = produce<Envelope>(PUSH_REQUESTS);
  const schedule = produce<Envelope>(PUSH_SCHEDULE);

  const vendorTraits = Object.values(channels).map(({ name, capabilities }) => [name, capabilities] as const);
  const traits = new Map<string, ChannelTraits>([...vendorTraits, [OWN_CHANNEL, OWN_TRAITS]]);
  const ports = { store, queues, traits, metrics: counters, now: Date.now };
  const onFailure = (queue: string) => (err: Error, jobId: string) => {
    counters.failedJobs.inc({ queue });
    log.error({ err, queue, jobId }, 'job failed');
  };
  const consumers = openConsumers(ports, { at, concurrency: config.DISPATCH_CONCURRENCY, onFailure });
  onClose('consumers', () => Promise.all(consumers.map((consumer) => consumer.close())));
  for (const consumer of consumers.filter(({ queue }) => queue === requests.queue)) {
    admin.addLiveness(`progress of ${consumer.queue}`, progressCheck(consumer, requests));
  }
  const redrive = async (): Promise<void> => {
    const onFailure = (err: unknown, pushId: string): void => log.error({ err, pushId }, 'push could not be re-driven');
    const redrivePorts = { ...ports, requests, schedule, onFailure };
    counters.redriven.inc(await redriveOnce(redrivePorts, config.REDRIVE_AFTER_MS));
  };
  const redriver = repeat(config.REDRIVE_INTERVAL_MS, redrive, (err) => log.error({ err }, 're-driver failed'));
  onClose('re-driver', () => redriver.stop());

  const sweep = async (): Promise<void> => {
    const rules = { staleMs: config.INSTALLATION_STALE_AFTER_MS, deadMs: config.INSTALLATION_DELETE_AFTER_MS };
    const swept = await sweepInstallations({ store, now: Date.now, stopping }, { ...rules, everyMs: SWEEP_EVERY_MS });
    counters.sweptInstallations.inc({ result: 'stale' }, swept.stale);
    counters.sweptInstallations.inc({ result: 'removed' }, swept.removed);
  };
  const sweeper = repeat(SWEEP_PAUSE_MS, sweep, (err) => log.error({ err }, 'sweep of installations failed'));
  onClose('sweeper', () => sweeper.stop());

  admin.ready();
  announce({ urls: { metrics: admin.url } });
  log.info({ metrics: admin.url }, 'dispatching');
});
