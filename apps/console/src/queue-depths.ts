import { bulkQueue, directQueue, openProducer, type Producer, type QueueLocation } from '@pushfleet/queues';

/** Unfinished jobs of one queue, by state. */
export type QueueDepth = Readonly<Record<string, number>>;

export interface ChannelDepths {
  readonly channel: string;
  readonly direct: QueueDepth;
  readonly bulk: QueueDepth;
}

export interface QueueDepths {
  read(): Promise<readonly ChannelDepths[]>;
  close(): Promise<void>;
}

export function openQueueDepths(location: Omit<QueueLocation, 'queue'>, channelNames: readonly string[]): QueueDepths {
  const open = (queue: string): Producer<never> => openProducer<never>({ ...location, queue });
  const channels = channelNames.map((channel) => ({
    channel,
    direct: open(directQueue(channel)),
    bulk: open(bulkQueue(channel)),
  }));
  return {
    read: () =>
      Promise.all(
        channels.map(async ({ channel, direct, bulk }) => {
          const [directDepth, bulkDepth] = await Promise.all([direct.depth(), bulk.depth()]);
          return { channel, direct: directDepth, bulk: bulkDepth };
        }),
      ),
    close: async () => void (await Promise.all(channels.flatMap(({ direct, bulk }) => [direct.close(), bulk.close()]))),
  };
}
