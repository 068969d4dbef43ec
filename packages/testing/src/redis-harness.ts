import { Redis, type RedisOptions } from 'ioredis';
import { unique } from './builders';
import { TEST_REDIS_URL } from './shared-redis';
import { until } from './until';

/** What one test file gets: a place of its own in a real Redis. */
export interface RedisHarness {
  /** Names every connection that is opened with it, so that a forgotten one is found. */
  readonly url: string;
  /** First part of every key of this file. */
  readonly namespace: string;
  /** A connection that is ready, and closed after the file's tests. */
  open(options?: RedisOptions): Promise<Redis>;
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
    async open(options = {}) {
      const redis = new Redis(url, { ...options, lazyConnect: true });
      await redis.connect();
      closes.push(() => redis.disconnect());
      return redis;
    },
    onClose: (close) => void closes.push(close),
  };
}

/** Leaves nothing behind, and complains about connections that are still open. */
async function cleanUp(server: string, namespace: string): Promise<void> {
  const redis = new Redis(server);
  try {
    await removeKeys(redis, namespace);
    await until(async () => (await connectionsOf(redis, namespace)).length === 0, { timeoutMs: 2000 }).catch(
      async () => {
        const left = await connectionsOf(redis, namespace);
        throw new Error(`${left.length} Redis connection(s) left open by this file:\n${left.join('\n')}`);
      },
    );
  } finally {
    redis.disconnect();
  }
}

async function removeKeys(redis: Redis, namespace: string): Promise<void> {
  for await (const found of redis.scanStream({ match: `*${namespace}*`, count: 1000 })) {
    const keys = found as string[];
    if (keys.length > 0) await redis.unlink(...keys);
  }
}

/** Queue workers put their own words around the name of a connection. */
async function connectionsOf(redis: Redis, namespace: string): Promise<readonly string[]> {
  const clients = String(await redis.client('LIST')).split('\n');
  return clients.filter((client) => new RegExp(`name=\\S*${namespace}`).test(client));
}
