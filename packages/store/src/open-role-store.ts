import { connectStore, type ConnectedStore, type ConnectOptions, type StoreEnvironment } from './connect-store';
import type { RedisClient } from './kit/redis';
import { addressOf, mastersOf } from './kit/redis-settings';
import { tellOutages, type OutageLog } from './kit/tell-outages';
import type { Store } from './open-store';

/** What a role of the fleet is started with, as far as its store is concerned. */
interface RoleOfStore extends Pick<ConnectOptions, 'onRedisAway' | 'stopping'> {
  readonly config: StoreEnvironment;
  readonly log: OutageLog;
  readonly admin: { addReadiness(name: string, check: () => Promise<void>): void };
  onClose(name: string, close: () => unknown): void;
  join(store: Store, link: ConnectedStore['link']): Promise<void>;
}

interface RoleStoreOptions extends Pick<ConnectOptions, 'vendors' | 'patience'> {
  /** Whether what Redis was asked is still answered when the role is closed; absent: to who waits for it. */
  readonly close?: 'quit' | 'disconnect';
  /** Called with how many installations made room for others. */
  readonly onEvicted?: (count: number) => void;
}

interface RoleStore {
  readonly redis: RedisClient;
  readonly store: Store;
  readonly onError: (err: Error) => void;
}

/** The store of a role, which is in the fleet from then on; one that has a key is ready only while it is that of the secrets. */
export async function openRoleStore(
  { config, log, admin, onClose, join, onRedisAway, stopping }: RoleOfStore,
  { vendors, patience, onEvicted, ...options }: RoleStoreOptions,
): Promise<RoleStore> {
  const { close = patience === 'wait' ? 'quit' : 'disconnect' } = options;
  const { onError, onReady } = tellOutages(log);
  const { redis, store, link } = await connectStore(config, {
    vendors,
    patience,
    onError,
    onRedisAway,
    stopping,
    onEvicted(app, count) {
      onEvicted?.(count);
      log.warn({ app, count }, 'unconfirmed installations made room: the app has as many as it may');
    },
  });
  redis.on('ready', () => onReady(mastersOf(redis).map(addressOf).join(', ')));
  // Versions rise, whatever a clock does: only data of an earlier time have an earlier one.
  store.settings.onLost((known, left) => {
    const [lostChange, lastChange] = [known, left].map((version) => (version ? new Date(version).toISOString() : null));
    log.warn(
      { lostChange, lastChange },
      'Redis has gone back: it lost a change of settings, and what was written since',
    );
  });
  onClose('redis', () => redis[close]());
  await join(store, link);
  if (config.SECRET_KEY !== undefined) admin.addReadiness('secret-key', () => store.sealing.prove());
  return { redis, store, onError };
}
