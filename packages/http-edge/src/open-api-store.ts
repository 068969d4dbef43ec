import { type RoleParts } from '@pushfleet/service-kit';
import {
  connectStore,
  type ConnectOptions,
  type RedisClient,
  type Store,
  type StoreEnvironment,
} from '@pushfleet/store';

type Parts = Pick<RoleParts<StoreEnvironment>, 'config' | 'log' | 'admin' | 'onClose' | 'join' | 'onRedisAway'>;

export interface ApiStoreOptions extends Pick<ConnectOptions, 'vendors'> {
  /** Called with how many installations made room for others. */
  readonly onEvicted?: (count: number) => void;
}

interface ApiStore {
  readonly redis: RedisClient;
  readonly store: Store;
  readonly onError: (err: Error) => void;
}

/** The store of an API: a caller is told that Redis is away, and does not wait for it. */
export async function openApiStore(
  { config, log, admin, onClose, join, onRedisAway }: Parts,
  { vendors, onEvicted }: ApiStoreOptions,
): Promise<ApiStore> {
  const onError = (err: Error): void => log.warn({ err }, 'redis');
  const { redis, store, link } = await connectStore(config, {
    patience: 'fail-fast',
    ...{ onError, onRedisAway },
    vendors,
    onEvicted(app, count) {
      onEvicted?.(count);
      log.warn({ app, count }, 'unconfirmed installations made room: the app has as many as it may');
    },
  });
  onClose('redis', () => redis.disconnect());
  await join(store, link);
  admin.addReadiness('secret-key', () => store.sealing.prove());
  return { redis, store, onError };
}
