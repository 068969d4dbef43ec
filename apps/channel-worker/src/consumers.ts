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
import { PAGE_DEVICES } from '@pushfleet/domain';
import { sendPages } from './send-pages';
import { openShares } from './shares';
import { openTurns } from './turns';
import { walkLane, type LanePorts } from './walk-lane';

export interface ChannelConsumersOptions {
  readonly at: (queue: string) => QueueLocation;
  readonly config: Config;
  readonly log: Logger;
}

/** Retry pages are short and do not wait for the slices of lanes. */
const RETRY_PAGES_AT_ONCE = 4;

/** Several profiles share twice what a single one may have; see `openShares`. */
const PROFILES = 2;

/** Vendor calls, pages and lanes are those of one profile that may be under way; jobs are those of all. */
type QueueBounds = Readonly<Record<'lockMs' | 'sends' | 'pages' | 'lanes' | 'jobs', number>>;

/** Pages that keep the calls of one profile busy: one more than the calls have devices for. */
export const pagesFor = (sends: number, maxBatch: number): number =>
  Math.min(sends, Math.ceil((sends * maxBatch) / PAGE_DEVICES) + 1);

/** The direct and the bulk queue of the channel, each with its own concurrency: a campaign never delays a message. */
export function openChannelConsumers(
  ports: Omit<LanePorts, 'pages' | 'calls' | 'lanes' | 'turn' | 'window'>,
  { at, config, log }: ChannelConsumersOptions,
): readonly Consumer[] {
  const turn = openTurns();
  const { DIRECT_LOCK_MS, DIRECT_CONCURRENCY, BULK_LOCK_MS, SEND_CONCURRENCY, LANE_CONCURRENCY } = config;
  const campaignPages = pagesFor(SEND_CONCURRENCY, ports.maxBatch);
  const window = Math.ceil(campaignPages / LANE_CONCURRENCY) + 1;
  const open = (queue: string, { lockMs, sends, pages, lanes, jobs }: QueueBounds): Consumer => {
    const shares = { calls: openShares(sends), pages: openShares(pages), lanes: openShares(lanes) };
    const bounded = { ...ports, ...shares, turn, window };
    return openConsumer(at(queue), {
      schema: channelJobSchema,
      concurrency: jobs,
      lockMs,
      watcher: ports.metrics.jobs,
      handle: (job) => handle(bounded, job),
      onFailure(err, jobId) {
        log.error({ err, queue, jobId }, 'job failed');
      },
    });
  };
  return [
    open(directQueue(ports.channel), {
      lockMs: DIRECT_LOCK_MS,
      ...{ sends: DIRECT_CONCURRENCY, pages: DIRECT_CONCURRENCY, lanes: 1 },
      jobs: PROFILES * DIRECT_CONCURRENCY,
    }),
    open(bulkQueue(ports.channel), {
      lockMs: BULK_LOCK_MS,
      ...{ sends: SEND_CONCURRENCY, pages: campaignPages, lanes: LANE_CONCURRENCY },
      jobs: PROFILES * (LANE_CONCURRENCY + RETRY_PAGES_AT_ONCE),
    }),
  ];
}

function handle(ports: LanePorts, { data, ...job }: HeldJob<ChannelJob>): Promise<JobResult> {
  return 'lane' in data ? walkLane(ports, { ...job, data }) : sendPages(ports, { ...job, data });
}
