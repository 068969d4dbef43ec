import { fakeClock, type FakeClock, redisHarness, type RedisHarness, SECRET_KEY, unique } from '@pushfleet/testing';
import { storeKeys, type StoreKeys } from '../store-keys';
import { openStore, type Store, type StoreConfig } from '../open-store';
import { openRedis, type RedisClient } from '../kit/redis';

export const VENDORS: ReadonlyMap<string, string> = new Map([
  ['HMS', 'hms'],
  ['mi', 'mi'],
  ['oppo', 'oppo'],
]);

/** A store on a real Redis; everything but harness and clock is there once the file's tests run. */
export interface StoreUnderTest {
  readonly harness: RedisHarness;
  readonly clock: FakeClock;
  readonly keys: StoreKeys;
  /** Id of an app that no other file uses. */
  readonly app: string;
  redis: RedisClient;
  store: Store;
  /** The store as another process sees it. */
  open(changes?: Partial<StoreConfig>): Store;
}

/** Call it at the top of a test file. */
export function storeUnderTest(): StoreUnderTest {
  const harness = redisHarness();
  const clock = fakeClock();
  const { namespace } = harness;
  const under = { harness, clock, keys: storeKeys(namespace), app: unique('app') } as StoreUnderTest;
  under.open = (changes = {}) =>
    openStore({ redis: under.redis, namespace, secretKey: SECRET_KEY, vendors: VENDORS, now: clock.now, ...changes });
  beforeAll(async () => {
    under.redis = await openRedis({
      url: harness.url,
      patience: 'fail-fast',
      onError: (error) => {
        throw error;
      },
    });
    harness.onClose(() => under.redis.quit());
    under.store = under.open();
  });
  return under;
}
