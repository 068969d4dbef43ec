import type { KitKeys } from './keys';
import { deleteSame } from './compare';
import { isDone, luaScript } from './lua/script';
import type { RedisClient } from './redis';

/** Leases on work that one process does for the whole fleet. */
export interface LeaseStore {
  /** Takes a free lease or renews the owner's; false while another owner has it. */
  hold(name: string, owner: string, lifeMs: number): Promise<boolean>;
  /** Frees the owner's lease; the lease of another owner stays. */
  release(name: string, owner: string): Promise<void>;
}

const hold = luaScript('kit/hold-lease', {
  params: { lease: 'key', owner: 'text', lifeMs: 'number' },
  answer: isDone,
});

export function openLeases({ redis, keys }: { redis: RedisClient; keys: KitKeys }): LeaseStore {
  return {
    hold: (name, owner, lifeMs) => hold(redis, { lease: keys.lease(name), owner, lifeMs }),
    release: async (name, owner) => void (await deleteSame(redis, { name: keys.lease(name), text: owner })),
  };
}
