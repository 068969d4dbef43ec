import { LIMITS } from '@pushfleet/domain';

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

/**
 * How long an app has to stand back with a push: 0 while it stays within what an app may send at once, and the more the
 * further it goes beyond. Its storm then waits for itself, not others for it. Of this process alone.
 */
export function openPushShares(now: () => number): (app: string, cost: number) => number {
  const levels = new Map<string, Level>();
  return (app, cost) => {
    const level = levels.get(app) ?? { sent: 0, at: now() };
    if (levels.size >= MAX_APPS && !levels.has(app)) levels.clear();
    levels.set(app, level);
    level.sent = Math.max(0, level.sent - ((now() - level.at) / 1000) * PER_SECOND) + cost;
    level.at = now();
    return Math.min(MAX_PRIORITY, Math.max(0, Math.ceil((level.sent - BURST) / BURST)));
  };
}
