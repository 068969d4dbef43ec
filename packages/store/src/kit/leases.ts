import type { KitKeys } from './keys';
import { deleteSame } from './compare';
import { isDone, luaScript } from './lua/script';
import type { RedisClient } from './redis';

/** What one process of many does for all of them. */
export interface LeaseStore {
  /** Takes the lease when nobody has it, renews one's own; false while it is somebody else's. */
  hold(name: string, owner: string, lifeMs: number): Promise<boolean>;
  /** Gives it to whoever asks next; another's lease stays. */
  release(name: string, owner: string): Promise<void>;
}

const hold = luaScript('kit/hold-lease', {
  params: { lease: 'key', owner: 'text', lifeMs: 'text' },
  answer: isDone,
});

export function openLeases({ redis, keys }: { redis: RedisClient; keys: KitKeys }): LeaseStore {
  return {
    hold: (name, owner, lifeMs) => hold(redis, { lease: keys.lease(name), owner, lifeMs }),
    release: async (name, owner) => void (await deleteSame(redis, { name: keys.lease(name), text: owner })),
  };
}
