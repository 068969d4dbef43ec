import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeaseStore } from '../../kit/leases';

/** The longest that a process waits for others; one that was killed in its turn holds them up for no longer. */
const TURN_MS = 1000;
const ASK_EVERY_MS = 20;

/**
 * Runs after what other processes run under the same name. It is no lock: who has waited for long enough, or runs for longer
 * than a turn, runs beside the others.
 */
export async function inTurn<T>(leases: LeaseStore, name: string, run: () => Promise<T>): Promise<T> {
  const owner = randomUUID();
  const until = performance.now() + TURN_MS;
  while (!(await leases.hold(name, owner, TURN_MS)) && performance.now() < until)
    await delay(ASK_EVERY_MS, undefined, { ref: false });
  try {
    return await run();
  } finally {
    await leases.release(name, owner);
  }
}
