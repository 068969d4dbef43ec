import { randomUUID } from 'node:crypto';
import { type Cluster, Redis, type RedisOptions } from 'ioredis';
import { MasterWatch } from './master-watch';
import { NOT_READY } from './redis-away';
import { openCluster } from './redis-cluster';
import { nodesIn, type RedisPlace } from './redis-place';
import { requireKeeping } from './redis-settings';
import { sentinelOptions } from './redis-sentinel';
import { isTlsUrl } from './redis-tls';
import { sentinelsIn, type SentinelPlace } from './sentinel-address';

export type RedisClient = Redis | Cluster;

export interface RedisConfig extends RedisPlace {
  /** `fail-fast` for producers that answer a caller; `wait` for consumers, which outlast an outage. */
  readonly patience: 'fail-fast' | 'wait';
  readonly onError: (error: Error) => void;
  /** Told of a sentinel that cannot be listened to; absent: `onError` is. */
  readonly onUnheard?: (error: Error) => void;
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

/** Until it was ready once, a connection is tried once. */
const FIRST: RedisOptions = {
  enableOfflineQueue: false,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
};

/** Options of the connections that are being ended because their Redis refuses to write. */
const leaving = new WeakSet<RedisOptions>();

/** What was the master before a failover may keep its connections and refuse to write: another look finds the new one. */
const ONE_REDIS: RedisOptions = {
  // As every answer that is under way says so, only the first one ends the connection.
  reconnectOnError(this: RedisOptions, { message }) {
    if (!message.startsWith('READONLY') || leaving.has(this)) return false;
    leaving.add(this);
    return true;
  },
};

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

const pauseBefore = (times: number): number => Math.min(50 * 2 ** Math.min(times, 5), 1000);

/** Asked of the options of a connection, when it is closed. */
function tryAgain(this: RedisOptions, times: number): number {
  leaving.delete(this);
  return pauseBefore(times);
}

async function connectRedis(config: RedisConfig): Promise<RedisClient> {
  const options: RedisOptions = {
    ...(config.patience === 'fail-fast' ? FAIL_FAST : WAIT),
    lazyConnect: true,
    // Its name and version, which Redis 7.0 does not know how to take and nobody asks for.
    disableClientInfo: true,
    retryStrategy: tryAgain,
    ...(isTlsUrl(config.url) ? { tls: { ...config.tls } } : {}),
  };
  const named = sentinelsIn(config.url);
  if (named) return openNamed(config, named, options);
  const urls = nodesIn(config);
  const first = new Redis(urls[0] ?? '', { ...options, ...ONE_REDIS, ...FIRST });
  const connectionName = await connectFirst(first, config);
  if (urls.length === 1 && !(await isCluster(first))) return withEagerDuplicates(first);
  first.disconnect();
  return withEagerDuplicates(await openCluster(urls, { ...options, connectionName }, config.onError));
}

/** A connection to the master that the sentinels name, now and after each failover. */
async function openNamed(config: RedisConfig, named: SentinelPlace, options: RedisOptions): Promise<Redis> {
  const watch = new MasterWatch(config, named, {
    retryStrategy: pauseBefore,
    onUnheard: config.onUnheard ?? config.onError,
  });
  const redis = new Redis({ ...options, ...ONE_REDIS, ...FIRST, ...sentinelOptions(config, named, watch) });
  await connectFirst(redis, config);
  redis.options.sentinelRetryStrategy = pauseBefore;
  redis.once('end', () => watch.close());
  watch.start();
  return withEagerDuplicates(redis);
}

/** The answer is the name of the connection, by which others see whether the process lives. */
async function connectFirst(redis: Redis, { onError, readyMs, patience }: RedisConfig): Promise<string> {
  redis.on('error', onError);
  const connectionName = [redis.options.connectionName ?? 'pushfleet', randomUUID()].join('-');
  redis.options.connectionName = connectionName;
  await connectOnce(redis, readyMs);
  redis.options.enableOfflineQueue = patience === 'wait';
  return connectionName;
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
