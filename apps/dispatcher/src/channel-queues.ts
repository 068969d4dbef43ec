import { bulkQueue, directQueue, queuesOf, type ChannelJob, type Producer } from '@pushfleet/queues';
import type { ChannelQueues } from './jobs';

/** The queue pair of every channel. */
export function openChannelQueues(
  channels: readonly string[],
  produce: (queue: string) => Producer<ChannelJob>,
): ChannelQueues & { readonly all: readonly Producer<ChannelJob>[] } {
  const direct = queuesOf(channels, (channel) => produce(directQueue(channel)));
  const bulk = queuesOf(channels, (channel) => produce(bulkQueue(channel)));
  return {
    direct: direct.of,
    bulk: bulk.of,
    channels: new Set(channels),
    all: [...direct.all, ...bulk.all],
  };
}
