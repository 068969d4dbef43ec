import { setImmediate as nextTurn } from 'node:timers/promises';

/** A condition may keep the process to itself for this long before others get their turn. */
const TURN_MS = 20;

/**
 * A test that lets the process breathe: a costly pattern on a long text must not keep a worker from renewing its locks,
 * nor a service from answering others.
 */
export function inTurns<T>(test: (item: T) => boolean): (item: T) => Promise<boolean> | boolean {
  let turnEndsAt = performance.now() + TURN_MS;
  return (item) => {
    if (performance.now() < turnEndsAt) return test(item);
    return nextTurn().then(() => {
      turnEndsAt = performance.now() + TURN_MS;
      return test(item);
    });
  };
}
