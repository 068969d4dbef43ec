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
import { openRoundLimit, openTurns } from '@pushfleet/store';
import type { Config } from './config';
import { PAGE_DEVICES } from '@pushfleet/domain';
import type { CallLimits } from './pace/call-limits';
import { sendPages, type PagePorts } from './send-pages';
import { openShares, type ShareBound } from './shares';
import { walkLane, type LanePorts } from './walk-lane';

export interface ChannelConsumersOptions {
  readonly at: (queue: string) => QueueLocation;
  readonly config: Config;
  readonly log: Logger;
  /** Of the calls, by queue. */
  readonly limits: Readonly<Record<'direct' | 'bulk', CallLimits>>;
}

/** Retry pages are short and do not wait for the slices of lanes. */
const RETRY_PAGES_AT_ONCE = 4;

/** A job of the direct queue brings up to 64 pages, which are read when it begins: more of them would hold the memory of a storm. */
const MOST_DIRECT_JOBS = 256;

/** Several profiles share twice what a single one may have; see `openShares`. */
const PROFILES = 2;

/** Stored pages that begin in one round of the event loop: the work of some milliseconds. */
const PAGES_PER_ROUND = 32;

export type ConsumerPorts = LanePorts & PagePorts;

/** Vendor calls, pages and lanes are those of one profile that may be under way; jobs are those of all. */
interface QueueBounds extends Readonly<Record<'lockMs' | 'sends' | 'pages' | 'lanes' | 'jobs', number>> {
  readonly limits: CallLimits;
  /** Of the pages of a profile, where they follow its calls. */
  readonly pagesOf?: ShareBound;
}

/** Pages that keep the calls of one profile busy: one more than the calls have devices for. */
export const pagesFor = (sends: number, maxBatch: number): number =>
  Math.min(sends, Math.ceil((sends * maxBatch) / PAGE_DEVICES) + 1);

/** The direct and the bulk queue of the channel, each with its own concurrency: a campaign never delays a message. */
export function openChannelConsumers(
  ports: Omit<ConsumerPorts, 'pages' | 'calls' | 'lanes' | 'turn' | 'begins' | 'window' | 'limits'>,
  { at, config, log, limits: { direct, bulk } }: ChannelConsumersOptions,
): readonly Consumer[] {
  const turn = openTurns();
  const begins = openRoundLimit(PAGES_PER_ROUND);
  const { DIRECT_LOCK_MS, DIRECT_CONCURRENCY, BULK_LOCK_MS, SEND_CONCURRENCY, LANE_CONCURRENCY } = config;
  const campaignPages = pagesFor(SEND_CONCURRENCY, ports.maxBatch);
  // More than its part: the places of a lane that ends its slice are for the others.
  const window = Math.ceil((2 * campaignPages) / LANE_CONCURRENCY) + 1;
  const open = (queue: string, { lockMs, sends, pages, lanes, jobs, limits, pagesOf }: QueueBounds): Consumer => {
    const calls = openShares(sends, limits);
    const shares = { calls, pages: openShares(pages, pagesOf), lanes: openShares(lanes) };
    const bounded = { ...ports, ...shares, limits, turn, begins, window };
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
      limits: direct,
      sends: DIRECT_CONCURRENCY,
      pages: DIRECT_CONCURRENCY,
      lanes: 1,
      jobs: Math.min(PROFILES * DIRECT_CONCURRENCY, MOST_DIRECT_JOBS),
    }),
    open(bulkQueue(ports.channel), {
      lockMs: BULK_LOCK_MS,
      limits: bulk,
      pagesOf: {
        of: (profile) => pagesFor(bulk.of(profile), ports.maxBatch),
        refused: (profile) => bulk.refused(profile),
      },
      sends: SEND_CONCURRENCY,
      pages: campaignPages,
      lanes: LANE_CONCURRENCY,
      jobs: PROFILES * (LANE_CONCURRENCY + RETRY_PAGES_AT_ONCE),
    }),
  ];
}

function handle(ports: ConsumerPorts, { data, ...job }: HeldJob<ChannelJob>): Promise<JobResult> {
  return 'lane' in data ? walkLane(ports, { data, ...job }) : sendPages(ports, { data, ...job });
}
