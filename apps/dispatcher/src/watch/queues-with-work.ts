import { bulkQueue, directQueue, PUSH_REQUESTS, PUSH_SCHEDULE } from '@pushfleet/queues';
import type { AuditedPush } from '@pushfleet/store';
import { walkerOf } from '../walker-of';

/** The queues on which a push whose time has come has work. */
export function queuesWithWork({ state, work }: AuditedPush, channels: ReadonlySet<string>): readonly string[] {
  if (state === 'accepted') return [PUSH_REQUESTS];
  if (state === 'scheduled') return [PUSH_SCHEDULE];
  return work.map(({ channel, queue }) => {
    const walker = walkerOf(channel, channels);
    return queue === 'direct' ? directQueue(walker) : bulkQueue(walker);
  });
}
