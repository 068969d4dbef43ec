import { existsSync } from 'node:fs';
import { connectTestRedis, mastersOf } from '../connect-test-redis';
import { ProcessorWait } from '../load/processor-wait';
import { TEST_REDIS_URL } from '../shared-redis';

/**
 * How somebody else fares, in milliseconds that this process, which is service and attacker, and its Redis had a processor or
 * wanted none: how long they were kept from one while a request was under way is the machine's doing.
 */
export interface Watched {
  /** The median of right requests when nobody else asks. */
  readonly aloneMs: number;
  /** The slowest right request beside the others. */
  readonly slowestMs: number;
}

export interface Watch {
  stop(): Promise<Watched>;
}

const ALONE = 30;
const PAUSE_MS = 20;

const NOBODY: Watch = { stop: () => Promise.resolve({ aloneMs: 0, slowestMs: 0 }) };

/** Asks as somebody else does, first alone and then, one request after the other, until it is stopped. */
export async function watchOthers(ask: (() => Promise<void>) | undefined): Promise<Watch> {
  if (ask === undefined) return NOBODY;
  const pids = [process.pid, ...(await pidsOfRedis())];
  const timed = async (): Promise<number> => {
    const [waits, startedAt] = [pids.map((pid) => new ProcessorWait(pid)), performance.now()];
    await ask();
    const waitedMs = waits.reduce((sum, wait) => sum + wait.waitedMs(), 0);
    return Math.max(0, performance.now() - startedAt - waitedMs);
  };
  const alone: number[] = [];
  for (let n = 0; n < ALONE; n += 1) alone.push(await timed());
  const aloneMs = alone.sort((a, b) => a - b)[ALONE / 2] ?? 0;
  let isOver = false;
  const watching = (async () => {
    let slowestMs = 0;
    while (!isOver) {
      slowestMs = Math.max(slowestMs, await timed());
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return { aloneMs, slowestMs };
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

/** None where it runs on another machine. */
async function pidsOfRedis(): Promise<readonly number[]> {
  const url = process.env[TEST_REDIS_URL];
  if (url === undefined) return [];
  const redis = await connectTestRedis(url);
  try {
    const facts = await Promise.all(mastersOf(redis).map((node) => node.info('server')));
    const pids = facts.flatMap((text) => /^process_id:(\d+)/m.exec(text)?.slice(1) ?? []);
    return pids.filter((pid) => existsSync(`/proc/${pid}`)).map(Number);
  } finally {
    redis.disconnect();
  }
}

/** Throws when somebody else had to wait: what froze a service took ten seconds and more of a processor. */
export function expectUnhurt({ aloneMs, slowestMs }: Watched): void {
  const most = 20 * aloneMs + 5000;
  if (slowestMs > most)
    throw new Error(
      `somebody else waited ${slowestMs.toFixed()} ms, alone ${aloneMs.toFixed()}, at most ${most.toFixed()}`,
    );
}
