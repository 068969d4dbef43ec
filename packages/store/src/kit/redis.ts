import { randomUUID } from 'node:crypto';
import { type Cluster, Redis, type RedisOptions } from 'ioredis';
import { NOT_READY } from './redis-away';
import { openCluster } from './redis-cluster';
import { requireKeeping } from './redis-settings';
import { isTlsUrl, type RedisTls } from './redis-tls';

export type RedisClient = Redis | Cluster;

export interface RedisConfig {
  /** One URL, or several (comma-separated) of a cluster; a single URL of a cluster is detected. */
  readonly url: string;
  /** For rediss:// URLs; absent: the public authorities, and no certificate of this process. */
  readonly tls?: RedisTls | undefined;
  /** `fail-fast` for producers that answer a caller; `wait` for consumers, which outlast an outage. */
  readonly patience: 'fail-fast' | 'wait';
  readonly onError: (error: Error) => void;
  /** Refuse a Redis without maxmemory. */
  readonly mustHaveLimit?: boolean;
  /** How long one that takes the connection may say nothing. */
  readonly readyMs?: number;
}

const FAIL_FAST: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 3000,
  connectTimeout: 3000,
};
const WAIT: RedisOptions = { maxRetriesPerRequest: null, connectTimeout: 5000 };

/** Commands of those that fail fast have a time of their own, the first among them. */
const READY_MS = 10_000;

/** Opens a connection that is ready for commands. Rejects when Redis cannot be reached, or is set up to evict keys. */
export async function openRedis(config: RedisConfig): Promise<RedisClient> {
  const redis = await connectRedis(config);
  try {
    await requireKeeping(redis, { mustHaveLimit: config.mustHaveLimit === true });
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return redis;
}

const tryAgain = (times: number): number => Math.min(50 * 2 ** Math.min(times, 5), 1000);

async function connectRedis(config: RedisConfig): Promise<RedisClient> {
  const options: RedisOptions = {
    ...(config.patience === 'fail-fast' ? FAIL_FAST : WAIT),
    lazyConnect: true,
    retryStrategy: tryAgain,
    ...(isTlsUrl(config.url) ? { tls: { ...config.tls } } : {}),
  };
  const urls = config.url.split(',').map((url) => url.trim());
  const first = new Redis(urls[0] ?? '', { ...options, enableOfflineQueue: false, retryStrategy: () => null });
  first.on('error', config.onError);
  // Others see by this name whether the process lives.
  const connectionName = [first.options.connectionName ?? 'pushfleet', randomUUID()].join('-');
  first.options.connectionName = connectionName;
  await connectOnce(first, config.readyMs);
  if (urls.length === 1 && !(await isCluster(first))) {
    first.options.enableOfflineQueue = config.patience === 'wait';
    return withEagerDuplicates(first);
  }
  first.disconnect();
  return withEagerDuplicates(await openCluster(urls, { ...options, connectionName }, config.onError));
}

/**
 * `connect` rejects with a connection that is closed; why it is was told before. `disconnect` of ioredis 6.0 on a closed one
 * would keep the process for two seconds, so a connection tries again only after its first success.
 */
async function connectOnce(redis: Redis, readyMs = READY_MS): Promise<void> {
  let reason: Error | undefined;
  redis.once('error', (error: Error) => (reason = error));
  const silence = setTimeout(() => {
    reason = new Error(NOT_READY);
    redis.disconnect();
  }, readyMs);
  try {
    await redis.connect();
    // The client library goes on with the first database where there is none of the number that was asked for.
    const { db = 0 } = redis.options;
    if (db > 0) await redis.select(db);
    redis.options.retryStrategy = tryAgain;
  } catch (error) {
    if (redis.status !== 'end') redis.disconnect();
    throw reason ?? error;
  } finally {
    clearTimeout(silence);
  }
}

async function isCluster(redis: Redis): Promise<boolean> {
  try {
    return /cluster_enabled:1/.test(await redis.info('cluster'));
  } catch (error) {
    redis.disconnect();
    throw error;
  }
}

/** BullMQ waits for a single attempt of a lazy duplicate to connect. A duplicate that is not lazy tries until it succeeds. */
function withEagerDuplicates<T extends RedisClient>(redis: T): T {
  redis.options.lazyConnect = false;
  return redis;
}
