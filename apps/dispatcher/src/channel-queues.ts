import { bulkQueue, directQueue, type ChannelJob, type Producer } from '@pushfleet/queues';
import type { ChannelQueues } from './jobs';

/** The queue pair of every channel. */
export function openChannelQueues(
  channels: readonly string[],
  produce: (queue: string) => Producer<ChannelJob>,
): ChannelQueues & { readonly all: readonly Producer<ChannelJob>[] } {
  const direct = new Map(channels.map((channel) => [channel, produce(directQueue(channel))]));
  const bulk = new Map(channels.map((channel) => [channel, produce(bulkQueue(channel))]));
  const of = (queues: ReadonlyMap<string, Producer<ChannelJob>>, channel: string): Producer<ChannelJob> => {
    const queue = queues.get(channel);
    if (!queue) throw new Error(`no queue for channel ${channel}`);
    return queue;
  };
  return {
    direct: (channel) => of(direct, channel),
    bulk: (channel) => of(bulk, channel),
    channels: new Set(channels),
    all: [...direct.values(), ...bulk.values()],
  };
}
