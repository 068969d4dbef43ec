import { openStore, type Store, type StoreConfig } from './open-store';
import { openRedis, type RedisClient, type RedisConfig } from './kit/redis';

/** The variables of a service that concern the store. */
export interface StoreEnvironment {
  readonly REDIS_URL: string;
  readonly KEY_PREFIX: string;
  /** Only of a process that opens or seals secrets. */
  readonly SECRET_KEY?: string | undefined;
  readonly SECRET_KEY_PREVIOUS?: string | undefined;
  readonly PUSH_RETENTION_MS: number;
  readonly ADDRESSED_PUSH_RETENTION_MS?: number | undefined;
  /** Only of a process that stores new installations. */
  readonly APP_INSTALLATIONS?: number | undefined;
  readonly APP_INSTALLATIONS_BYTES?: number | undefined;
  readonly NODE_ENV: string;
}

export type ConnectOptions = Pick<RedisConfig, 'patience' | 'onError'> & Pick<StoreConfig, 'vendors' | 'onEvicted'>;

/** Connects to Redis and opens the store as the environment says. Rejects a wrong format and a wrong SECRET_KEY. */
export async function connectStore(
  env: StoreEnvironment,
  { patience, onError, ...options }: ConnectOptions,
): Promise<{ readonly redis: RedisClient; readonly store: Store }> {
  const mustHaveLimit = env.NODE_ENV === 'production';
  const redis = await openRedis({ url: env.REDIS_URL, patience, onError, mustHaveLimit });
  const store = openStore({
    redis,
    namespace: env.KEY_PREFIX,
    secretKey: env.SECRET_KEY,
    previousSecretKey: env.SECRET_KEY_PREVIOUS,
    retentionMs: env.PUSH_RETENTION_MS,
    addressedRetentionMs: env.ADDRESSED_PUSH_RETENTION_MS,
    ceiling: { installations: env.APP_INSTALLATIONS ?? 0, bytes: env.APP_INSTALLATIONS_BYTES },
    ...options,
  });
  try {
    await store.format.check();
    await store.sealing.prove();
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  return { redis, store };
}
