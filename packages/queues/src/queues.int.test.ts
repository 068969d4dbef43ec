import { setTimeout as delay } from 'node:timers/promises';
import { countCommands, mastersOf, redisHarness, unique, until } from '@pushfleet/testing';
import { Cluster, type Redis } from 'ioredis';
import { z } from 'zod';
import { openConsumer, openProducer, type Consumer, type HeldJob, type JobResult, type Producer } from './index';
import { prefixOf, type QueueLocation } from './producer';

interface Payload {
  readonly n: number;
}
type Handle = (job: HeldJob<Payload>) => Promise<JobResult>;

const schema = z.object({ n: z.int() });
const harness = redisHarness();
let redis: Redis | Cluster;
const open = new Set<Consumer>();

beforeAll(async () => {
  redis = await harness.open();
  const options = redis instanceof Cluster ? redis.options.redisOptions : redis.options;
  Object.assign(options ?? {}, { maxRetriesPerRequest: null });
});
afterEach(async () => {
  await Promise.all([...open].map((consumer) => consumer.close()));
  open.clear();
});

interface Rig {
  readonly at: QueueLocation;
  readonly jobs: Producer<Payload>;
  readonly failures: string[];
  consume(handle: Handle, changes?: { concurrency?: number; lockMs?: number }): Consumer;
}

/** A queue of its own. */
function rig(): Rig {
  const failures: string[] = [];
  const at = { redis, namespace: harness.namespace, queue: unique('q'), onError: () => undefined };
  const jobs = openProducer<Payload>(at);
  harness.onClose(() => jobs.close());
  return {
    at,
    jobs,
    failures,
    consume(handle, changes = {}) {
      const onFailure = (error: Error, id: string): void => void failures.push(`${id}: ${error.message}`);
      const options = { schema, concurrency: 1, lockMs: 5000, handle, onFailure, ...changes };
      const consumer = openConsumer(at, options);
      open.add(consumer);
      return consumer;
    },
  };
}

/** The numbers of the jobs, as they are taken. */
function takenBy(consume: Rig['consume']): readonly number[] {
  const taken: number[] = [];
  consume(async ({ data }) => {
    taken.push(data.n);
    return 'done';
  });
  return taken;
}

/** Whether a consumer of this file stands at a queue without jobs. */
async function waitsForJobs(): Promise<boolean> {
  const lists = await Promise.all(mastersOf(redis).map((node) => node.client('LIST')));
  return lists
    .join('\n')
    .split('\n')
    .some((client) => client.includes(harness.namespace) && / flags=\w*b/.test(client));
}

const isEmpty = async (jobs: Producer<Payload>): Promise<boolean> =>
  Object.values(await jobs.depth()).every((count) => count === 0);

test.each([0, 300_000, -300_000])(
  'a delay is one of the clock of the fleet, from which this one is %i ms',
  async (aheadMs) => {
    const { at } = rig();
    const clock = { now: () => Date.now() - aheadMs, isOff: () => aheadMs !== 0 };
    const jobs = openProducer<Payload>({ ...at, clock });
    harness.onClose(() => jobs.close());
    await jobs.add([{ id: 'later', data: { n: 1 }, delayMs: 60_000 }]);
    const [, score] = await redis.zrange(`${prefixOf(at)}:${at.queue}:delayed`, '0', '-1', 'WITHSCORES');
    // The library keeps 12 bits beside the time.
    expect(Number(score) / 0x1000 - Date.now() + aheadMs).toBeCloseTo(60_000, -4);
  },
);

test('a job arrives as it was added, and leaves nothing behind', async () => {
  const { jobs, consume, failures } = rig();
  const seen: unknown[] = [];
  const consumer = consume(async ({ id, data, addedAt }) => {
    seen.push([id, data, Math.abs(Date.now() - addedAt) < 5000]);
    return 'done';
  });
  const before = consumer.lastProgressAt();
  await jobs.add([{ id: 'one', data: { n: 1 } }]);
  await until(async () => seen.length === 1 && (await isEmpty(jobs)));
  expect([seen, failures]).toEqual([[['one', { n: 1 }, true]], []]);
  expect(consumer.lastProgressAt()).toBeGreaterThanOrEqual(before);
  expect([consumer.heldJobs(), await jobs.has('one')]).toEqual([0, false]);
});

test('a live job with the same id is not added twice, whatever it waits for', async () => {
  const { jobs } = rig();
  await jobs.add([
    { id: 'now', data: { n: 1 } },
    { id: 'later', data: { n: 1 }, delayMs: 60_000 },
  ]);
  await jobs.add([
    { id: 'now', data: { n: 2 } },
    { id: 'later', data: { n: 2 } },
  ]);
  expect(await jobs.depth()).toMatchObject({ waiting: 1, delayed: 1 });
  expect([await jobs.has('now'), await jobs.has('later'), await jobs.has('never')]).toEqual([true, true, false]);
});

test('an id of digits alone is as good as any', async () => {
  const { jobs } = rig();
  await jobs.add([{ id: '4711471147114711', data: { n: 1 } }]);
  await jobs.add([{ id: '4711471147114711', data: { n: 2 } }]);
  expect([await jobs.has('4711471147114711'), (await jobs.depth())['waiting']]).toEqual([true, 1]);
});

test('a job that goes again stands behind those that wait, and no attempt is counted', async () => {
  const { jobs, consume, failures } = rig();
  const order: string[] = [];
  await jobs.add(['a', 'b', 'c'].map((id) => ({ id, data: { n: 0 } })));
  consume(async ({ id }) => {
    order.push(id);
    return order.filter((other) => other === id).length < 3 ? { again: 0 } : 'done';
  });
  await until(async () => order.length === 9 && (await isEmpty(jobs)));
  expect([order, failures]).toEqual([[...'abcabcabc'], []]);
});

test('a job that pauses comes back when its pause is over', async () => {
  const { jobs, consume } = rig();
  const times: number[] = [];
  await jobs.add([{ id: 'a', data: { n: 0 } }]);
  consume(async () => {
    times.push(Date.now());
    return times.length === 1 ? { again: 300 } : 'done';
  });
  await until(() => times.length === 2);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(290);
});

test('jobs that are hurried come in the order in which they were added, whenever they were due', async () => {
  const { jobs, consume } = rig();
  const order = Array.from({ length: 20 }, (_, n) => n);
  for (const n of order) {
    await jobs.add([{ id: `j${n}`, data: { n }, delayMs: 600_000 - 30_000 * (n % 7) }]);
    await delay(2);
  }
  await jobs.hurry();
  const seen: number[] = [];
  consume(async ({ data: { n } }) => {
    seen.push(n);
    return 'done';
  });
  await until(() => isEmpty(jobs));
  expect(seen).toEqual(order);
});

test('one of all that hurry a queue puts it in order, and the others wait for that, or until it should be over', async () => {
  const { jobs, at } = rig();
  const ids = Array.from({ length: 30 }, (_, n) => `j${n}`);
  const delayed = ids.map((id, n) => ({ id, data: { n }, delayMs: 600_000 - 1000 * n }));
  await jobs.add(delayed);
  const commands = await countCommands(redis, at.queue);
  harness.onClose(async () => commands.close());
  const sent = await commands.during(() => Promise.all(Array.from({ length: 5 }, () => jobs.hurry())));
  expect(sent.filter((name) => name === 'hget')).toHaveLength(ids.length);
  expect(await jobs.depth()).toMatchObject({ waiting: ids.length, delayed: 0 });
  await jobs.add([{ id: 'late', data: { n: 30 }, delayMs: 600_000 }]);
  await redis.set(`${prefixOf(at)}:${at.queue}:ordering`, '1', 'PX', 300);
  await jobs.hurry();
  expect(await jobs.depth()).toMatchObject({ waiting: ids.length + 1, delayed: 0 });
  expect(await redis.exists(`${prefixOf(at)}:${at.queue}:ordering`)).toBe(0);
});

test('a job that cannot be read is dropped and reported, and the next one is served', async () => {
  const { jobs, at, consume, failures } = rig();
  const wrong = openProducer<unknown>(at);
  harness.onClose(() => wrong.close());
  await wrong.add([{ id: 'bad', data: { n: 'one' } }]);
  await jobs.add([{ id: 'good', data: { n: 1 } }]);
  const seen: string[] = [];
  consume(async ({ id }) => {
    seen.push(id);
    return 'done';
  });
  await until(async () => seen.length === 1 && (await isEmpty(jobs)));
  expect([seen, failures]).toEqual([['good'], [expect.stringMatching(/^bad: /)]]);
});

test('a job that comes back in the moment in which another ends keeps its lock for as long as it is worked on', async () => {
  // What the two ends send must cross: how many turns apart they have to be is the library's affair.
  const lost = await Promise.all(Array.from({ length: 40 }, (_, turns) => cross(turns)));
  expect(lost).toEqual(lost.map(() => false));
});

/** Longer than a busy machine keeps this process from renewing it. */
const LOCK_MS = 2500;

/** Whether a job lost its lock that was moved on so many turns before another one ended, whose worker took it. */
async function cross(turns: number): Promise<boolean> {
  const { jobs, consume } = rig();
  const begun = new Set<string>();
  const bothRun = until(() => begun.size === 2, { everyMs: 1 });
  let runs = 0;
  let wasLost: boolean | undefined;
  const handle: Handle = async ({ id, lost }) => {
    begun.add(id);
    await bothRun;
    if (id === 'ends') for (let i = 0; i < turns; i += 1) await Promise.resolve();
    if (id === 'ends') return 'done';
    runs += 1;
    if (runs === 1) return { again: 0 };
    await Promise.race([delay(2 * LOCK_MS + 500), new Promise((resolve) => lost.addEventListener('abort', resolve))]);
    wasLost = lost.aborted;
    return 'done';
  };
  consume(handle, { concurrency: 2, lockMs: LOCK_MS });
  await jobs.add(['comes back', 'ends'].map((id, n) => ({ id, data: { n } })));
  await until(() => wasLost !== undefined);
  return wasLost === true;
}

test('a handler that fails drops its job and says why; the same id can be added again', async () => {
  const { jobs, consume, failures } = rig();
  let runs = 0;
  consume(async () => {
    runs += 1;
    if (runs === 1) throw new Error('no luck');
    return 'done';
  });
  await jobs.add([{ id: 'a', data: { n: 1 } }]);
  await until(async () => failures.length === 1 && !(await jobs.has('a')));
  await jobs.add([{ id: 'a', data: { n: 1 } }]);
  await until(async () => runs === 2 && (await isEmpty(jobs)));
  expect(failures).toEqual(['a: no luck']);
});

test('a handler whose job went to somebody else is told, and takes nothing away from them', async () => {
  const { jobs, at, consume, failures } = rig();
  const token = `${prefixOf(at)}:${at.queue}:a:lock`;
  let wasLost = false;
  consume(
    async ({ lost }) => {
      await redis.set(token, 'somebody else', 'PX', 60_000);
      await until(() => lost.aborted);
      wasLost = true;
      return 'done';
    },
    { lockMs: 400 },
  );
  await jobs.add([{ id: 'a', data: { n: 1 } }]);
  await until(() => wasLost);
  await Promise.all([...open].map((consumer) => consumer.close()));
  expect([await jobs.has('a'), await jobs.depth(), failures]).toEqual([
    true,
    expect.objectContaining({ active: 1 }),
    [],
  ]);
});

test('a job that came back while its handler still runs waits for it', async () => {
  const { jobs, at, consume } = rig();
  let running = 0;
  let most = 0;
  let runs = 0;
  consume(
    async ({ lost }) => {
      running += 1;
      runs += 1;
      most = Math.max(most, running);
      if (runs === 1) {
        // The job is lost behind the back of the process, as after a Redis that stood still.
        await redis.set(`${prefixOf(at)}:${at.queue}:a:lock`, 'gone', 'PX', 1);
        await until(() => lost.aborted, { timeoutMs: 10_000 });
        await new Promise((resolve) => setTimeout(resolve, 1500));
      }
      running -= 1;
      return 'done';
    },
    { concurrency: 4, lockMs: 2000 },
  );
  await jobs.add([{ id: 'a', data: { n: 1 } }]);
  await until(async () => runs === 2 && (await isEmpty(jobs)), { timeoutMs: 15_000 });
  expect(most).toBe(1);
});

test('a job begins before another is asked for, and as many are at work as may be', async () => {
  const { at, jobs, consume } = rig();
  let asked = 0;
  const askedAtBegin: number[] = [];
  let release = (): void => undefined;
  let held = Promise.resolve();
  const consumer = consume(
    async () => {
      askedAtBegin.push(asked);
      await held;
      return 'done';
    },
    { concurrency: 3 },
  );
  await jobs.add([{ id: 'first', data: { n: 0 } }]);
  await until(async () => askedAtBegin.length === 1 && (await isEmpty(jobs)));
  // From here on its next question follows the job.
  await until(waitsForJobs);
  held = new Promise((resolve) => (release = resolve));
  const questions = `${prefixOf(at)}:${at.queue}:limiter`;
  const sendCommand = redis.sendCommand.bind(redis);
  const spy = jest.spyOn(redis, 'sendCommand').mockImplementation((command, ...rest) => {
    if (command.args.includes(questions)) asked += 1;
    return sendCommand(command, ...rest);
  });
  await jobs.add([{ id: 'second', data: { n: 0 } }]);
  await until(() => askedAtBegin.length === 2);
  spy.mockRestore();
  await jobs.add([1, 2, 3].map((n) => ({ id: `job-${n}`, data: { n } })));
  await until(() => consumer.heldJobs() === 3);
  await delay(200);
  const most = consumer.heldJobs();
  release();
  await until(() => isEmpty(jobs));
  expect({ asked: askedAtBegin[1], most, runs: askedAtBegin.length }).toEqual({ asked: 1, most: 3, runs: 5 });
});

test('a close takes no new job and waits for those at work', async () => {
  const { jobs, consume } = rig();
  const ended: number[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const consumer = consume(async ({ data }) => {
    await held;
    ended.push(data.n);
    return 'done';
  });
  await jobs.add([1, 2].map((n) => ({ id: `job-${n}`, data: { n } })));
  await until(() => consumer.heldJobs() === 1);
  const closing = consumer.close();
  release();
  await closing;
  expect([ended, await jobs.depth()]).toEqual([[1], expect.objectContaining({ waiting: 1, active: 0 })]);
});

test('the job of a worker that died is taken over by another', async () => {
  const { jobs, at, consume } = rig();
  await jobs.add([{ id: 'a', data: { n: 1 } }]);
  // A dead worker leaves a job that is active and whose lock lapses.
  await redis.rpoplpush(`${prefixOf(at)}:${at.queue}:wait`, `${prefixOf(at)}:${at.queue}:active`);
  const seen: string[] = [];
  consume(async ({ id }) => {
    seen.push(id);
    return 'done';
  });
  await until(async () => seen.length === 1 && (await isEmpty(jobs)));
});

test('a paused queue has nothing that waits for a worker', async () => {
  const { jobs, at } = rig();
  await jobs.add([{ id: 'a', data: { n: 1 } }]);
  expect(await jobs.depth()).toMatchObject({ waiting: 1 });
  await redis.hset(`${prefixOf(at)}:${at.queue}:meta`, 'paused', 1);
  expect(await jobs.depth()).toMatchObject({ waiting: 0, paused: 1 });
});

test('progress inside a long job is seen', async () => {
  const { jobs, consume } = rig();
  let getOn = (): void => undefined;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const consumer = consume(async ({ onProgress }) => {
    getOn = onProgress;
    await held;
    return 'done';
  });
  await jobs.add([{ id: 'a', data: { n: 1 } }]);
  await until(() => consumer.heldJobs() === 1);
  const before = consumer.lastProgressAt();
  await until(() => performance.now() > before);
  getOn();
  expect(consumer.lastProgressAt()).toBeGreaterThan(before);
  // Not by the time of day: that may be set.
  expect(consumer.lastProgressAt()).toBeLessThanOrEqual(performance.now());
  release();
});

test('tells its watcher once per run how it went, and how long a job waited before the first', async () => {
  const { at, jobs, failures } = rig();
  const seen: unknown[] = [];
  const consumer = openConsumer<Payload>(at, {
    ...{ schema, concurrency: 1, lockMs: 5000 },
    handle: ({ data }) =>
      data.n === 1 && seen.length === 1 ? Promise.resolve({ again: 1 }) : Promise.resolve('done' as const),
    onFailure: (_, id) => void failures.push(id),
    watcher: {
      onOpen: (queue) => void seen.push(['open', queue]),
      onClose: (queue) => void seen.push(['close', queue]),
      onRun: (_, { result, tookMs, waitedMs }) =>
        void seen.push([
          result,
          tookMs < 5000,
          waitedMs === undefined ? 'not first' : waitedMs >= 0 && waitedMs < 5000,
        ]),
      onStalled: () => void seen.push('stalled'),
    },
  });
  open.add(consumer);
  await jobs.add([{ id: 'one', data: { n: 1 } }]);
  await until(() => seen.length === 3);
  await jobs.add([{ id: 'two', data: { n: 'not a number' } as unknown as Payload, delayMs: 20 }]);
  await until(() => failures.length === 1);
  await consumer.close();
  expect(seen).toEqual([
    ['open', at.queue],
    ['again', true, true],
    ['done', true, 'not first'],
    ['failed', true, true],
    ['close', at.queue],
  ]);
});

test('a job without a priority is taken before all that have one, and these by their number', async () => {
  const { jobs, consume } = rig();
  const storm = Array.from({ length: 50 }, (_, n) => ({ id: `storm${n}`, data: { n }, priority: 2 }));
  await jobs.add(storm);
  await jobs.add([{ id: 'lighter', data: { n: 100 }, priority: 1 }]);
  await jobs.add([{ id: 'prompt', data: { n: 200 } }]);
  const seen = takenBy(consume);
  await until(() => seen.length === 52);
  expect(seen.slice(0, 3)).toEqual([200, 100, 0]);
  await until(() => isEmpty(jobs));
});

test.each(['no JSON', '', '5'])(
  'a job whose data says %j is dropped with its name, and holds up no other',
  async (text) => {
    const { at, jobs, consume, failures } = rig();
    await jobs.add([{ id: 'damaged', data: { n: 1 } }]);
    await redis.hset(`${prefixOf(at)}:${at.queue}:damaged`, 'data', text);
    await jobs.add([{ id: 'other', data: { n: 2 } }]);
    const seen = takenBy(consume);
    await until(() => seen.length === 1);
    await until(() => isEmpty(jobs));
    expect([seen, failures]).toEqual([[2], [expect.stringContaining('damaged: ')]]);
    expect(await jobs.has('damaged')).toBe(false);
  },
);

test('how long the first job of a queue has waited is told beside one that is damaged', async () => {
  const { at, jobs } = rig();
  await jobs.add([{ id: 'damaged', data: { n: 1 } }]);
  await redis.hset(`${prefixOf(at)}:${at.queue}:damaged`, 'data', 'no JSON');
  expect(Math.abs(Date.now() - ((await jobs.frontAddedAt()) ?? 0))).toBeLessThan(5000);
});
