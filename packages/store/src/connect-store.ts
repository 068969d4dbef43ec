import { setTimeout as delay } from 'node:timers/promises';
import { openStore, type Store, type StoreConfig } from './open-store';
import { isRedisAway } from './kit/redis-away';
import { redisLink, type RedisLink } from './kit/redis-link';
import { placeOf, type RedisEnvironment, type RedisPlace } from './kit/redis-place';
import { redisRefused } from './kit/redis-refused';
import { requireRights } from './kit/redis-rights';
import { openRedis, type RedisClient, type RedisConfig } from './kit/redis';

/** The variables of a service that concern the store. */
export interface StoreEnvironment extends RedisEnvironment {
  readonly KEY_PREFIX: string;
  /** Only of a process that opens or seals secrets. */
  readonly SECRET_KEY?: string | undefined;
  readonly SECRET_KEY_PREVIOUS?: string | undefined;
  readonly PUSH_RETENTION_MS: number;
  readonly ADDRESSED_PUSH_RETENTION_MS?: number | undefined;
  readonly OUTCOME_BYTES: number;
  /** Only of a process that stores new installations. */
  readonly APP_INSTALLATIONS?: number | undefined;
  readonly APP_INSTALLATIONS_BYTES?: number | undefined;
  readonly NODE_ENV: string;
}

export interface ConnectOptions
  extends Pick<RedisConfig, 'patience' | 'onError'>, Pick<StoreConfig, 'vendors' | 'onEvicted'> {
  /** Told with every try that found no Redis, with a pause before the next. */
  readonly onRedisAway: (reason: string, tries: number) => void;
  /** Aborted when the process ends: nothing more is tried. */
  readonly stopping?: AbortSignal;
}

export interface ConnectedStore {
  readonly redis: RedisClient;
  readonly store: Store;
  readonly link: RedisLink;
}

const PAUSE_MS = 1000;

/**
 * Connects to Redis and opens the store as the environment says. While Redis is away it tries again, until the process ends.
 * Rejects a wrong format and a wrong SECRET_KEY.
 */
export async function connectStore(env: StoreEnvironment, options: ConnectOptions): Promise<ConnectedStore> {
  const place = placeOf(env);
  let isThere = false;
  const onError = (error: Error): void => (isThere ? options.onError(error) : undefined);
  for (let tries = 1; ; tries += 1) {
    try {
      const connected = await connectOnce(env, place, { ...options, onError, onUnheard: options.onError });
      isThere = true;
      return connected;
    } catch (error) {
      const refused = await redisRefused(error, { ...place, namespace: env.KEY_PREFIX });
      if (refused) throw refused;
      if (!isRedisAway(error)) throw error;
      options.onRedisAway(reasonOf(error as NodeJS.ErrnoException), tries);
      await delay(PAUSE_MS, undefined, { signal: options.stopping });
    }
  }
}

/** Several addresses that were all tried have a code and no message. */
const reasonOf = ({ message, code = 'no answer' }: NodeJS.ErrnoException): string => message || code;

async function connectOnce(
  env: StoreEnvironment,
  place: RedisPlace,
  { patience, onError, onUnheard, vendors, onEvicted }: ConnectOptions & Pick<RedisConfig, 'onUnheard'>,
): Promise<ConnectedStore> {
  const mustHaveLimit = env.NODE_ENV === 'production';
  const redis = await openRedis({ ...place, patience, onError, onUnheard, mustHaveLimit });
  const store = openStore({
    redis,
    namespace: env.KEY_PREFIX,
    secretKey: env.SECRET_KEY,
    previousSecretKey: env.SECRET_KEY_PREVIOUS,
    retentionMs: env.PUSH_RETENTION_MS,
    addressedRetentionMs: env.ADDRESSED_PUSH_RETENTION_MS,
    outcomeBytes: env.OUTCOME_BYTES,
    ceiling: { installations: env.APP_INSTALLATIONS ?? 0, bytes: env.APP_INSTALLATIONS_BYTES },
    vendors,
    onEvicted,
  });
  try {
    await requireRights(redis, env.KEY_PREFIX);
    await store.format.check();
    await store.sealing.prove();
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return { redis, store, link: redisLink(redis) };
}
