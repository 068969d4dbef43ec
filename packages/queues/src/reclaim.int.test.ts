import { endConnection, redisHarness, unique, until } from '@pushfleet/testing';
import { Cluster, type Redis } from 'ioredis';
import { z } from 'zod';
import { livingNames } from './departed';
import { openConsumer, openProducer } from './index';
import { prefixOf, type QueueLocation } from './producer';
import { openReclaim } from './reclaim';

/** No job comes back by the end of its lock. */
const LOCK_MS = 600_000;

const harness = redisHarness();
let redis: Redis | Cluster;

beforeAll(async () => {
  redis = await harness.open();
});

/** A connection as a process of the fleet has it. */
async function connect(name: string): Promise<Redis | Cluster> {
  const own = { connectionName: name, maxRetriesPerRequest: null };
  const connection = redis instanceof Cluster ? redis.duplicate([], { redisOptions: own }) : redis.duplicate(own);
  harness.onClose(() => endConnection(connection));
  await connection.ping();
  // The members of a cluster are connected to when they are first asked.
  const nodes = connection instanceof Cluster ? connection.nodes('master') : [];
  await Promise.all(nodes.map((node) => node.ping()));
  return connection;
}

interface Place {
  readonly at: QueueLocation;
  readonly key: (name: string) => string;
  add(ids: readonly string[]): Promise<void>;
}

/** A queue of its own. */
function openPlace(own: Redis | Cluster): Place {
  const at = { redis: own, namespace: harness.namespace, queue: unique('q'), onError: () => undefined };
  const jobs = openProducer<object>(at);
  harness.onClose(() => jobs.close());
  return {
    at,
    key: (name) => `${prefixOf(at)}:${at.queue}:${name}`,
    add: (ids) => jobs.add(ids.map((id) => ({ id, data: {} }))),
  };
}

/** Notes the jobs that it is given. */
function run(at: QueueLocation, ran: string[]): ReturnType<typeof openConsumer> {
  const consumer = openConsumer(at, {
    ...{ schema: z.looseObject({}), concurrency: 4, lockMs: LOCK_MS },
    handle: async ({ id }) => {
      ran.push(id);
      return 'done';
    },
    onFailure: (error) => {
      throw error;
    },
  });
  harness.onClose(() => consumer.close());
  return consumer;
}

test('jobs of a process that is gone go on long before their locks end, those of a silent one do not', async () => {
  const [living, silent] = [await connect(`${harness.namespace}-living`), await connect(`${harness.namespace}-silent`)];
  const { at, key, add } = openPlace(living);
  const held = async (id: string, token: string): Promise<void> => {
    await add([id]);
    await redis.rpoplpush(key('wait'), key('active'));
    await redis.set(key(`${id}:lock`), token, 'PX', LOCK_MS - 5000);
  };
  await held('of-silent', `${harness.namespace}-silent|uuid:1`);
  await held('of-nobody-known', 'uuid:1');
  await held('of-gone', `${harness.namespace}-gone|uuid:1`);

  const ran: string[] = [];
  const consumer = run(at, ran);
  await until(() => ran.length > 0, { timeoutMs: 20_000 });
  await held('of-gone-too', `${harness.namespace}-gone|uuid:2`);
  await until(() => ran.length > 1, { timeoutMs: 20_000 });
  expect(ran).toEqual(['of-gone', 'of-gone-too']);

  silent.disconnect();
  await until(() => ran.length > 2, { timeoutMs: 20_000 });
  expect(ran.slice(2)).toEqual(['of-silent']);
  await consumer.close();
});

test('a process that does not find itself among the living calls nobody dead', async () => {
  const nameless = await connect('');
  expect(await livingNames(nameless)).toBeUndefined();
  nameless.disconnect();
});

test('a job of a process that is gone is found behind more silent jobs than one look has', async () => {
  const living = await connect(`${harness.namespace}-of-many`);
  const { at, key, add } = openPlace(living);
  const ids = Array.from({ length: 1500 }, (_, n) => `job-${n}`);
  await add(ids);
  await redis.rename(key('wait'), key('active'));
  const hold = (id: string, holder: string): Promise<unknown> =>
    redis.set(key(`${id}:lock`), `${harness.namespace}-${holder}|uuid:1`, 'PX', LOCK_MS - 5000);
  await Promise.all(ids.map((id) => hold(id, 'of-many')));

  const ran: string[] = [];
  const consumer = run(at, ran);
  let stalled: readonly string[] = [];
  const isFilled = async (): Promise<boolean> => (stalled = await redis.smembers(key('stalled'))).length === ids.length;
  await until(isFilled, { timeoutMs: 20_000 });
  const last = stalled.at(-1) ?? '';
  await hold(last, 'gone');
  await until(() => ran.length > 0, { timeoutMs: 20_000 });
  expect(ran).toEqual([last]);
  await consumer.close();
});

test('one process of all looks at a time', async () => {
  const living = await connect(`${harness.namespace}-of-several`);
  const { at, key } = openPlace(living);
  await redis.sadd(key('stalled'), 'job');
  await redis.set(key('job:lock'), `${harness.namespace}-gone|uuid:1`, 'PX', LOCK_MS - 5000);
  await until(async () => (await livingNames(living)) !== undefined, { timeoutMs: 20_000 });
  let looks = 0;
  const extendLocks = async (ids: string[]): Promise<string[]> => {
    looks += 1;
    return ids;
  };
  const startedAt = Date.now();
  const all = Array.from({ length: 20 }, () => openReclaim(at, { lockMs: LOCK_MS, isHeld: () => false, extendLocks }));
  await until(() => looks >= 3, { timeoutMs: 20_000 });
  await Promise.all(all.map((one) => one.close()));
  // The turn of one look keeps the next away for 400 ms.
  expect(looks).toBeLessThanOrEqual(1 + (Date.now() - startedAt) / 400);
});
