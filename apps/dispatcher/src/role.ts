import { channelNames, channelOfVendor, channels } from '@pushfleet/channels';
import { OWN_CHANNEL, traitsOf } from '@pushfleet/domain';
import {
  openProducer,
  openQueueTelemetry,
  progressCheck,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  RECEIPTS,
  type Envelope,
  type Producer,
} from '@pushfleet/queues';
import { closeAtSignal, FairGate, repeat, type Role } from '@pushfleet/service-kit';
import { openRoleStore } from '@pushfleet/store';
import { openAttempts } from './attempts';
import { openChannelQueues } from './channel-queues';
import { configSchema, loadConfig, type Config } from './config';
import { openConsumers } from './consumers';
import { dispatcherMetrics } from './metrics';
import { startPreflights } from './preflight/start-preflights';
import { redriveOnce } from './redrive';
import { startUpkeep } from './start-upkeep';
import { startWatch } from './watch/start-watch';

/** Audiences planned at the same time: each keeps Redis busy with hundreds of commands. */
const AUDIENCES = { atOnce: 4, perAccount: 2 };

export const role: Role<Config> = {
  name: 'dispatcher',
  loadConfig,
  configSchema,
  async start(parts) {
    const { config, log, metrics, admin, tracing, onClose, onStopping, stopping } = parts;
    const counters = dispatcherMetrics(metrics);
    const telemetry = await openQueueTelemetry(tracing.isOn);

    const { redis, store, onError } = await openRoleStore(parts, { vendors: channelOfVendor, patience: 'wait' });

    const namespace = config.KEY_PREFIX;
    const at = (queue: string) => ({ redis, namespace, queue, onError, clock: store.clock, telemetry });
    const produce = <T>(queue: string): Producer<T> => {
      const producer = openProducer<T>(at(queue));
      onClose(`producer ${queue}`, () => producer.close());
      return producer;
    };
    const queues = openChannelQueues([...channelNames, OWN_CHANNEL], produce);
    const requests = produce<Envelope>(PUSH_REQUESTS);
    const schedule = produce<Envelope>(PUSH_SCHEDULE);

    const traits = traitsOf(Object.values(channels));
    const turns = new FairGate(AUDIENCES);
    const ports = { store, queues, traits, metrics: counters, turns, now: store.clock.now };
    const onFailure = (queue: string) => (err: Error, jobId: string) => log.error({ err, queue, jobId }, 'job failed');
    const consumers = openConsumers(ports, { at, concurrency: config.DISPATCH_CONCURRENCY, onFailure });
    closeAtSignal({ onStopping, onClose }, 'consumers', () => Promise.all(consumers.map((one) => one.close())));
    for (const consumer of consumers.filter(({ queue }) => queue === requests.queue)) {
      admin.addLiveness(`progress of ${consumer.queue}`, progressCheck(consumer, requests));
    }
    const redrive = async (): Promise<void> => {
      const onFailure = (err: unknown, pushId: string): void =>
        log.error({ err, pushId }, 'push could not be re-driven');
      const onGivenUp = (err: unknown, pushId: string): void => log.error({ err, pushId }, 'push given up');
      const redrivePorts = { ...ports, requests, schedule, onFailure, onGivenUp };
      counters.redriven.inc(await redriveOnce(redrivePorts, config.REDRIVE_AFTER_MS));
    };
    const redriver = repeat(config.REDRIVE_INTERVAL_MS, redrive, (err) => log.error({ err }, 're-driver failed'));
    onClose('re-driver', () => redriver.stop());

    const onPreflightFailed = (err: unknown): void => log.warn({ err }, 'pre-flight failed');
    const preflights = startPreflights({ ...ports, stopping, onError: onPreflightFailed });
    onClose('pre-flights', () => preflights.stop());

    const isFresh = async (): Promise<boolean> => (await store.apps.count()) === 0;
    // Runs before there is an app, so that no device was saved by an earlier version, which knows no index.
    await store.installations.channels.noteFleet({ now: store.clock.now(), isFresh }).catch((err: unknown) => {
      // A Redis that takes nothing more is no reason to plan nothing either; the checks of the indexes note it again.
      log.error({ err }, 'it could not be noted that a dispatcher is there');
    });
    const attempts = openAttempts({ metrics: counters, log });
    const tidied = { store, schedule, channels: queues.channels, attempts, metrics: counters };
    const upkeep = startUpkeep({ ...tidied, stopping, log }, config);
    onClose('upkeep', () => Promise.all(upkeep.map((task) => task.stop())));

    const watched = { queues: [requests, schedule, produce(RECEIPTS), ...queues.all], channels: queues.channels };
    const attempt = attempts('watch');
    const watch = startWatch(
      { store, redis, ...watched, metrics: counters.fleet, attempt, log },
      config.WATCH_INTERVAL_MS,
    );
    onClose('watch', () => watch.stop());

    log.info({ metrics: admin.url }, 'dispatching');
    return {};
  },
};
