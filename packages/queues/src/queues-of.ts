import type { ChannelJob } from './job-schemas';
import type { Producer } from './producer';

/** One queue of each channel. */
export interface QueuesOfChannels {
  of(channel: string): Producer<ChannelJob>;
  readonly all: readonly Producer<ChannelJob>[];
}

export function queuesOf(
  channels: readonly string[],
  open: (channel: string) => Producer<ChannelJob>,
): QueuesOfChannels {
  const queues = new Map(channels.map((channel) => [channel, open(channel)]));
  return {
    of(channel) {
      const queue = queues.get(channel);
      if (!queue) throw new Error(`no queue for channel ${channel}`);
      return queue;
    },
    all: [...queues.values()],
  };
}
