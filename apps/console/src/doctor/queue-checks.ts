import { OWN_CHANNEL } from '@pushfleet/domain';
import { problem, verdict, warning, type Check } from './check';
import type { QueueHealth } from '../queues';

/** Whether somebody works on every queue that has work or will get some; `used` are the channels that apps have profiles for. */
export const queueChecks = (queues: readonly QueueHealth[], used: ReadonlySet<string>): readonly Check[] =>
  queues.map(({ queue, channel, consumers, dueJobs }) => {
    const about = { check: 'queue-consumers', subject: queue };
    const advice = channel === undefined ? 'start a dispatcher' : `start a channel-worker with CHANNEL=${channel}`;
    // The own channel's worker also books the devices that no vendor reaches.
    const isExpected = channel === undefined || channel === OWN_CHANNEL || used.has(channel);
    return verdict(about, `${consumers} at work, ${dueJobs} jobs due`, [
      consumers === 0 && dueJobs > 0 && problem(`${dueJobs} jobs are due and nobody takes them`, advice),
      consumers === 0 && isExpected && warning('nobody would take its jobs', advice),
    ]);
  });
