import {
  bulkQueue,
  channelJobSchema,
  directQueue,
  openConsumer,
  type ChannelJob,
  type Consumer,
  type HeldJob,
  type JobResult,
  type QueueLocation,
} from '@pushfleet/queues';
import type { Logger } from '@pushfleet/service-kit';
import type { Config } from './config';
import { sendPages } from './send-pages';
import { openSlots } from './slots';
import { walkLane, type LanePorts } from './walk-lane';

export interface ChannelConsumersOptions {
  readonly at: (queue: string) => QueueLocation;
  readonly config: Config;
  readonly log: Logger;
}

/** How soon the work of a process that died is taken over: an addressed push within seconds. */
const DIRECT_LOCKS = { lockMs: 5000, stalledCheckMs: 2000 };
const BULK_LOCKS = { lockMs: 15_000, stalledCheckMs: 5000 };
/** Retry pages are short; they do not wait for lanes to end their slices. */
const RETRY_PAGES_AT_ONCE = 4;

/** The direct and the bulk queue of the channel, each with its own concurrency: a campaign never delays a message. */
export function openChannelConsumers(
  ports: Omit<LanePorts, 'slots' | 'window'>,
  { at, config, log }: ChannelConsumersOptions,
): readonly Consumer[] {
  const directSlots = openSlots(config.DIRECT_CONCURRENCY);
  const bulkSlots = openSlots(config.SEND_CONCURRENCY);
  const window = Math.max(1, Math.ceil(config.SEND_CONCURRENCY / config.LANE_CONCURRENCY) + 1);
  const handleWith =
    (slots: typeof bulkSlots) =>
    ({ data, ...job }: HeldJob<ChannelJob>): Promise<JobResult> =>
      'lane' in data
        ? walkLane({ ...ports, slots, window }, { ...job, data })
        : sendPages({ ...ports, slots }, { ...job, data });
  const onFailure = (queue: string) => (err: Error, jobId: string) => {
    ports.metrics.failedJobs.inc({ queue });
    log.error({ err, queue, jobId }, 'job failed');
  };
  const open = (
    queue: string,
    options: { lockMs: number; stalledCheckMs: number; concurrency: number; slots: typeof bulkSlots },
  ): Consumer =>
    openConsumer(at(queue), {
      ...options,
      schema: channelJobSchema,
      handle: handleWith(options.slots),
      onFailure: onFailure(queue),
    });
  return [
    open(directQueue(ports.channel), { ...DIRECT_LOCKS, concurrency: config.DIRECT_CONCURRENCY, slots: directSlots }),
    open(bulkQueue(ports.channel), {
      ...BULK_LOCKS,
      concurrency: config.LANE_CONCURRENCY + RETRY_PAGES_AT_ONCE,
      slots: bulkSlots,
    }),
  ];
}
