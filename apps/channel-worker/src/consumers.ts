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
import { openTurns } from './turns';
import { walkLane, type LanePorts } from './walk-lane';

export interface ChannelConsumersOptions {
  readonly at: (queue: string) => QueueLocation;
  readonly config: Config;
  readonly log: Logger;
}

/** Others look for a dead worker's jobs several times within its lock, so that the lock decides how soon. */
const CHECKS_PER_LOCK = 3;
/** Retry pages are short; they do not wait for lanes to end their slices. */
const RETRY_PAGES_AT_ONCE = 4;

/** The direct and the bulk queue of the channel, each with its own concurrency: a campaign never delays a message. */
export function openChannelConsumers(
  ports: Omit<LanePorts, 'slots' | 'turn' | 'window'>,
  { at, config, log }: ChannelConsumersOptions,
): readonly Consumer[] {
  const turn = openTurns();
  const window = Math.ceil(config.SEND_CONCURRENCY / config.LANE_CONCURRENCY) + 1;
  const open = (queue: string, { lockMs, sends, jobs }: { lockMs: number; sends: number; jobs: number }): Consumer => {
    const bounded = { ...ports, turn, window, slots: openSlots(sends) };
    return openConsumer(at(queue), {
      schema: channelJobSchema,
      concurrency: jobs,
      lockMs,
      stalledCheckMs: Math.ceil(lockMs / CHECKS_PER_LOCK),
      watcher: ports.metrics.jobs,
      handle: (job) => handle(bounded, job),
      onFailure(err, jobId) {
        log.error({ err, queue, jobId }, 'job failed');
      },
    });
  };
  const { DIRECT_LOCK_MS, DIRECT_CONCURRENCY, BULK_LOCK_MS, SEND_CONCURRENCY, LANE_CONCURRENCY } = config;
  return [
    open(directQueue(ports.channel), { lockMs: DIRECT_LOCK_MS, sends: DIRECT_CONCURRENCY, jobs: DIRECT_CONCURRENCY }),
    open(bulkQueue(ports.channel), {
      lockMs: BULK_LOCK_MS,
      sends: SEND_CONCURRENCY,
      jobs: LANE_CONCURRENCY + RETRY_PAGES_AT_ONCE,
    }),
  ];
}

function handle(ports: LanePorts, { data, ...job }: HeldJob<ChannelJob>): Promise<JobResult> {
  return 'lane' in data ? walkLane(ports, { ...job, data }) : sendPages(ports, { ...job, data });
}
