import { OWN_CHANNEL } from '@pushfleet/domain';
import {
  bulkQueue,
  directQueue,
  openProducer,
  PUSH_REQUESTS,
  PUSH_SCHEDULE,
  RECEIPTS,
  type Producer,
  type QueueLocation,
} from '@pushfleet/queues';

/** Unfinished jobs of one queue, by state. */
export type QueueDepth = Readonly<Record<string, number>>;

export interface ChannelDepths {
  readonly channel: string;
  readonly direct: QueueDepth;
  readonly bulk: QueueDepth;
}

/** Who works on a queue, and what waits there. */
export interface QueueHealth {
  readonly queue: string;
  /** Absent for the queues of the dispatcher. */
  readonly channel?: string;
  readonly consumers: number;
  /** Jobs that could be worked on now. */
  readonly dueJobs: number;
}

export interface Queues {
  /** Of the vendors' channels and the own one. */
  depths(): Promise<readonly ChannelDepths[]>;
  /** Of every queue of the fleet. */
  health(): Promise<readonly QueueHealth[]>;
  close(): Promise<void>;
}

export function openQueues(location: Omit<QueueLocation, 'queue'>, vendors: readonly string[]): Queues {
  const open = (queue: string): Producer<never> => openProducer<never>({ ...location, queue });
  const dispatchers = [PUSH_REQUESTS, PUSH_SCHEDULE, RECEIPTS].map(open);
  const channels = [...vendors, OWN_CHANNEL].map((channel) => ({
    channel,
    direct: open(directQueue(channel)),
    bulk: open(bulkQueue(channel)),
  }));
  const ofChannels = channels.flatMap(({ channel, direct, bulk }) => [
    { of: { channel }, producer: direct },
    { of: { channel }, producer: bulk },
  ]);
  const all = [...dispatchers.map((producer) => ({ of: {}, producer })), ...ofChannels];
  return {
    depths: () =>
      Promise.all(
        channels.map(async ({ channel, direct, bulk }) => {
          const [directDepth, bulkDepth] = await Promise.all([direct.depth(), bulk.depth()]);
          return { channel, direct: directDepth, bulk: bulkDepth };
        }),
      ),
    health: () => Promise.all(all.map(async ({ of, producer }) => ({ ...of, ...(await healthOf(producer)) }))),
    close: async () => void (await Promise.all(all.map(({ producer }) => producer.close()))),
  };
}

async function healthOf(producer: Producer<never>): Promise<QueueHealth> {
  const [consumers, depth] = await Promise.all([producer.consumers(), producer.depth()]);
  const dueJobs = ['waiting', 'active', 'prioritized'].reduce((sum, state) => sum + (depth[state] ?? 0), 0);
  return { queue: producer.queue, consumers, dueJobs };
}
