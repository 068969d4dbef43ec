import { channelCovers, LIMITS } from '@pushfleet/domain';
import type { NewPush } from '@pushfleet/store';

interface Level {
  /** What was sent lately and is not made up for by time. */
  sent: number;
  at: number;
}

const PER_SECOND = LIMITS.promptPushesPerSecond.value;
const BURST = LIMITS.promptPushBurst.value;
const MAX_APPS = 10_000;
/** Of the queue: an app that is far ahead of its share is no further behind others than this. */
const MAX_PRIORITY = 1000;

/** An audience is planned shard by shard, which takes as long as many single devices. */
const AUDIENCE_COST = 4;

/** Most channels have few subscribers, who are looked up like devices that are named. */
export const costOf = ({ audience }: Pick<NewPush, 'audience'>): number =>
  (audience.addressed ?? audience.devices) || channelCovers(audience).length > 0 ? 1 : AUDIENCE_COST;

/**
 * How long an app has to stand back with a push: 0 while it stays within what an app may send at once, and the more the
 * further it goes beyond. Its storm then waits for itself, not others for it. Of this process alone.
 */
export function openPushShares(now: () => number): (push: Pick<NewPush, 'app' | 'audience'>) => number {
  const levels = new Map<string, Level>();
  return (push) => {
    const level = levels.get(push.app) ?? { sent: 0, at: now() };
    if (levels.size >= MAX_APPS && !levels.has(push.app)) levels.clear();
    levels.set(push.app, level);
    level.sent = Math.max(0, level.sent - ((now() - level.at) / 1000) * PER_SECOND) + costOf(push);
    level.at = now();
    return Math.min(MAX_PRIORITY, Math.max(0, Math.ceil((level.sent - BURST) / BURST)));
  };
}
