import { redisHarness, unique, until } from '@pushfleet/testing';
import { Cluster, type Redis } from 'ioredis';
import { z } from 'zod';
import { livingNames } from './departed';
import { openConsumer, openProducer } from './index';
import { prefixOf } from './producer';

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
  harness.onClose(() => connection.disconnect());
  await connection.ping();
  // The members of a cluster are connected to when they are first asked.
  const nodes = connection instanceof Cluster ? connection.nodes('master') : [];
  await Promise.all(nodes.map((node) => node.ping()));
  return connection;
}

test('jobs of a process that is gone go on long before their locks end, those of a silent one do not', async () => {
  const [living, silent] = [await connect(`${harness.namespace}-living`), await connect(`${harness.namespace}-silent`)];
  const at = { redis: living, namespace: harness.namespace, queue: unique('q'), onError: () => undefined };
  const key = (name: string): string => `${prefixOf(at)}:${at.queue}:${name}`;
  const jobs = openProducer<object>(at);
  harness.onClose(() => jobs.close());
  const held = async (id: string, token: string): Promise<void> => {
    await jobs.add([{ id, data: {} }]);
    await redis.rpoplpush(key('wait'), key('active'));
    await redis.set(key(`${id}:lock`), token, 'PX', LOCK_MS - 5000);
  };
  await held('of-silent', `${harness.namespace}-silent|uuid:1`);
  await held('of-nobody-known', 'uuid:1');
  await held('of-gone', `${harness.namespace}-gone|uuid:1`);

  const ran: string[] = [];
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
  await until(() => ran.length > 0, { timeoutMs: 20_000 });
  await held('of-gone-too', `${harness.namespace}-gone|uuid:2`);
  await until(() => ran.length > 1, { timeoutMs: 20_000 });
  expect(ran).toEqual(['of-gone', 'of-gone-too']);

  silent.disconnect();
  await until(() => ran.length > 2, { timeoutMs: 20_000 });
  expect(ran.slice(2)).toEqual(['of-silent']);
  await consumer.close();
}, 60_000);

test('a process that does not find itself among the living calls nobody dead', async () => {
  const nameless = await connect('');
  expect(await livingNames(nameless)).toBeUndefined();
  nameless.disconnect();
});
