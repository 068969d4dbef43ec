import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface UntilOptions {
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

type Seen = { readonly value: unknown } | { readonly error: unknown };

/**
 * Polls until the condition gives something truthy, and returns that; a condition that throws does not hold yet.
 * Its end is for what never comes, on the busiest machine: no test says by it how fast something is.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 10 }: UntilOptions = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const seen = await look(condition);
    if ('value' in seen && seen.value) return seen.value as NonNullable<T>;
    if (Date.now() >= deadline) throw new Error(`not within ${timeoutMs} ms; ${lastSeen(seen)}`);
    await delay(everyMs);
  }
}

async function look(condition: () => unknown): Promise<Seen> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}

const lastSeen = (seen: Seen): string =>
  'value' in seen ? `last seen: ${inspect(seen.value)}` : `last try threw: ${inspect(seen.error)}`;
