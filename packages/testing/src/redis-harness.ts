import { type Cluster, type Redis } from 'ioredis';
import { unique } from './builders';
import { connectTestRedis, mastersOf } from './connect-test-redis';
import { endConnection } from './end-connection';
import { keysIn } from './keys-in';
import { TEST_REDIS_URL } from './shared-redis';
import { until } from './until';

/** What one test file gets: a place of its own in a real Redis. */
export interface RedisHarness {
  /** Names every connection that is opened with it, so that a forgotten one is found. */
  readonly url: string;
  /** First part of every key of this file. */
  readonly namespace: string;
  /** A connection that is ready, and closed after the file's tests. */
  open(): Promise<Redis | Cluster>;
  /** Runs after the file's tests, last one first. */
  onClose(close: () => unknown): void;
}

/** Call it once at the top of an `*.int.test.ts` file. The file fails when it leaves a connection open. */
export function redisHarness(): RedisHarness {
  const server = process.env[TEST_REDIS_URL];
  if (!server) throw new Error(`${TEST_REDIS_URL} is not set: run this file as part of the "int" project`);
  const namespace = unique('test');
  const url = `${server}${server.includes('?') ? '&' : '?'}connectionName=${namespace}`;
  const closes: (() => unknown)[] = [];
  afterAll(async () => {
    for (const close of closes.reverse()) await close();
    await cleanUp(server, namespace);
  });
  return {
    url,
    namespace,
    async open() {
      const redis = await connectTestRedis(url);
      closes.push(() => endConnection(redis));
      return redis;
    },
    onClose: (close) => void closes.push(close),
  };
}

/** Leaves nothing behind, and complains about connections that are still open. */
async function cleanUp(server: string, namespace: string): Promise<void> {
  const redis = await connectTestRedis(server);
  try {
    await Promise.all((await keysIn(redis, `*${namespace}*`)).map((key) => redis.unlink(key)));
    const nodes = mastersOf(redis);
    const open = async () => (await Promise.all(nodes.map((node) => connectionsOf(node, namespace)))).flat();
    await until(async () => (await open()).length === 0).catch(async () => {
      const left = await open();
      throw new Error(`${left.length} Redis connection(s) left open by this file:\n${left.join('\n')}`);
    });
  } finally {
    redis.disconnect();
  }
}

/** Queue workers put their own words around the name of a connection. */
async function connectionsOf(node: Redis, namespace: string): Promise<readonly string[]> {
  const clients = String(await node.client('LIST')).split('\n');
  return clients.filter((client) => new RegExp(`name=\\S*${namespace}`).test(client));
}
