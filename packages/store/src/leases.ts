import type { Keys } from './keys';
import { defineScript, runScript, type RedisClient } from './redis';

/** What one process of many does for all of them. */
export interface LeaseStore {
  /** Takes the lease when nobody has it, renews one's own; false while it is somebody else's. */
  hold(name: string, owner: string, lifeMs: number): Promise<boolean>;
  /** Gives it to whoever asks next; another's lease stays. */
  release(name: string, owner: string): Promise<void>;
}

/** KEYS lease; ARGV owner, life in ms. In a full Redis too: somebody must be left to say that it is full. */
const holdScript = defineScript(`#!lua flags=allow-oom
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`);

/** KEYS lease; ARGV owner. */
const releaseScript = defineScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`);

export function openLeases({ redis, keys }: { redis: RedisClient; keys: Keys }): LeaseStore {
  return {
    async hold(name, owner, lifeMs) {
      return (await runScript(redis, holdScript, { keys: [keys.lease(name)], args: [owner, lifeMs] })) === 1;
    },
    async release(name, owner) {
      await runScript(redis, releaseScript, { keys: [keys.lease(name)], args: [owner] });
    },
  };
}
