import { setTimeout as delay } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { Cluster, Redis } from 'ioredis';

const AT_ONCE = 1000;
/** The library keeps delayed jobs by the millisecond at which they are due, with room for so many in each. */
const PER_MS = 0x1000;

/** Who puts a queue in order has it for itself for so long at most; whoever else hurries it waits no longer than that. */
const ORDERING_MS = 10_000;
const LOOK_MS = 100;

/**
 * Lets every delayed job be taken, in the order in which they were added: each comes back at a time of its own while it waits, and
 * whoever would have come back next would go first. Every worker of a channel hurries its queues at the same moment: one of them
 * puts a queue in order, and the others wait until that is done.
 *
 * What falls due by itself meanwhile is taken at once and goes first. Only a queue that stands still could prevent that: for all of its
 * work, also what waits for nothing, and for as long as a hundred thousand jobs take to be put in order.
 */
export async function hurryInOrder(redis: Redis | Cluster, queue: Queue): Promise<void> {
  const lease = queue.toKey('ordering');
  if ((await redis.set(lease, '1', 'PX', ORDERING_MS, 'NX')) === 'OK') {
    // One that took longer frees the lease of another, and a third puts in order what is so already.
    await putInOrder(redis, queue).finally(() => redis.del(lease));
  } else {
    for (let waited = 0; waited < ORDERING_MS && (await redis.exists(lease)) === 1; waited += LOOK_MS)
      await delay(LOOK_MS);
  }
  await queue.promoteJobs();
}

async function putInOrder(redis: Redis | Cluster, queue: Queue): Promise<void> {
  const delayed = queue.toKey('delayed');
  // What is done stands at the front from then on: a job is due later than it was added.
  for (let from = 0; ; from += AT_ONCE) {
    const ids = await redis.zrange(delayed, from, String(from + AT_ONCE - 1));
    if (ids.length === 0) return;
    const added = await Promise.all(ids.map((id) => redis.hget(queue.toKey(id), 'timestamp')));
    // Who was taken meanwhile is not put back.
    await redis.zadd(delayed, 'XX', ...scored(ids, added.map(Number)));
  }
}

/** Those of one millisecond stay as they were. */
function scored(ids: readonly string[], addedAt: readonly number[]): string[] {
  const inMs = new Map<number, number>();
  return ids.flatMap((id, i) => {
    const at = addedAt[i] ?? 0;
    const place = inMs.get(at) ?? 0;
    inMs.set(at, Math.min(place + 1, PER_MS - 1));
    return [String(at * PER_MS + place), id];
  });
}
