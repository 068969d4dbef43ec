import { ProcessorWait } from '../load/processor-wait';

/** How somebody else fares, in milliseconds. */
export interface Watched {
  /** The median of right requests when nobody else asks. */
  readonly aloneMs: number;
  /** The slowest right request beside the others. */
  readonly slowestMs: number;
  /** How many times longer than it worked this process, which is service and attacker, had to wait for a processor. */
  readonly factor: number;
}

export interface Watch {
  stop(): Promise<Watched>;
}

const ALONE = 30;
const PAUSE_MS = 20;

const NOBODY: Watch = { stop: () => Promise.resolve({ aloneMs: 0, slowestMs: 0, factor: 1 }) };

/** Asks as somebody else does, first alone and then, one request after the other, until it is stopped. */
export async function watchOthers(ask: (() => Promise<void>) | undefined): Promise<Watch> {
  if (ask === undefined) return NOBODY;
  const timed = async (): Promise<number> => {
    const startedAt = performance.now();
    await ask();
    return performance.now() - startedAt;
  };
  const alone: number[] = [];
  for (let n = 0; n < ALONE; n += 1) alone.push(await timed());
  const aloneMs = alone.sort((a, b) => a - b)[ALONE / 2] ?? 0;
  let isOver = false;
  const wait = new ProcessorWait(process.pid);
  const watching = (async () => {
    let slowestMs = 0;
    while (!isOver) {
      slowestMs = Math.max(slowestMs, await timed());
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return { aloneMs, slowestMs, factor: wait.factor() };
  })();
  // Told by whoever stops it.
  watching.catch(() => undefined);
  return {
    stop() {
      isOver = true;
      return watching;
    },
  };
}

/**
 * Throws when somebody else had to wait for more than a busy machine explains: what froze a service took ten seconds and more
 * of a processor that it had for itself.
 */
export function expectUnhurt({ aloneMs, slowestMs, factor }: Watched): void {
  const most = 20 * aloneMs + 5000 * factor;
  if (slowestMs > most)
    throw new Error(
      `somebody else waited ${slowestMs.toFixed()} ms, alone ${aloneMs.toFixed()}, at most ${most.toFixed()}`,
    );
}
