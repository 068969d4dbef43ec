import { connectStore, type ConnectedStore, type ConnectOptions, type StoreEnvironment } from './connect-store';
import type { RedisClient } from './kit/redis';
import type { Store } from './open-store';

/** What a role of the fleet is started with, as far as its store is concerned. */
interface RoleOfStore extends Pick<ConnectOptions, 'onRedisAway'> {
  readonly config: StoreEnvironment;
  readonly log: { warn(fields: object, message: string): void };
  onClose(name: string, close: () => Promise<unknown>): void;
  join(store: Store, link: ConnectedStore['link']): Promise<void>;
}

export interface PatientStore {
  readonly redis: RedisClient;
  readonly store: Store;
  readonly onError: (err: Error) => void;
}

/** The store of a role that works off queues: it waits for Redis as long as Redis is away. */
export async function openPatientStore(
  { config, log, onClose, join, onRedisAway }: RoleOfStore,
  { vendors }: Pick<ConnectOptions, 'vendors'>,
): Promise<PatientStore> {
  const onError = (err: Error): void => log.warn({ err }, 'redis');
  const { redis, store, link } = await connectStore(config, { patience: 'wait', onError, onRedisAway, vendors });
  onClose('redis', () => redis.quit());
  await join(store, link);
  return { redis, store, onError };
}
