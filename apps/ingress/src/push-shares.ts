import { BoundedMap, LIMITS } from '@pushfleet/domain';

/** What a push takes, and of whose share. */
export interface PushShare {
  readonly account: string;
  readonly cost: number;
}

interface Level {
  /** What was sent lately and is not made up for by time. */
  sent: number;
  at: number;
}

const PER_SECOND = LIMITS.promptPushesPerSecond.value;
const BURST = LIMITS.promptPushBurst.value;
const MAX_ACCOUNTS = 10_000;
/** Of the queue: an account that is far ahead of its share is no further behind others than this. */
const MAX_PRIORITY = 1000;

/**
 * How far an account, one key of an app, has to stand back with a push: 0 while it stays within what it may send at once, and
 * the more the further it goes beyond. Its storm then waits for itself, not others for it. Of this process alone.
 */
export function openPushShares(now: () => number): (share: PushShare) => number {
  const levels = new BoundedMap<string, Level>(MAX_ACCOUNTS);
  return ({ account, cost }) => {
    const level = levels.get(account) ?? { sent: 0, at: now() };
    levels.set(account, level);
    // None while the clock was set back: what did not pass would count as sent.
    const passedMs = Math.max(0, now() - level.at);
    level.sent = Math.max(0, level.sent - (passedMs / 1000) * PER_SECOND) + cost;
    level.at = now();
    return Math.min(MAX_PRIORITY, Math.max(0, Math.ceil((level.sent - BURST) / BURST)));
  };
}
