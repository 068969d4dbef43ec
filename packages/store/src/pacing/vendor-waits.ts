import type { PacingKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { profileKey, profileOfKey, type AppProfile } from './app-profile';
import { openSharedFields } from './shared-fields';

/** The vendor asked the campaigns of a profile to wait. */
export interface VendorWait {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly reason: 'throttled' | 'quota-exceeded';
}

export interface VendorWaitStore {
  /** Waits of a channel that are not over. */
  list(channel: string, now: number): Promise<readonly (AppProfile & VendorWait)[]>;
  note(channel: string, of: AppProfile, wait: VendorWait): Promise<void>;
  clear(channel: string, of: AppProfile): Promise<void>;
}

export function openVendorWaits({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): VendorWaitStore {
  const fields = openSharedFields<VendorWait>(redis, (channel) => keys.vendorWaits(channel));
  return {
    async list(channel, now) {
      const all = await fields.list(channel);
      return all.flatMap(([key, wait]) => (wait.until > now ? [{ ...profileOfKey(key), ...wait }] : []));
    },
    note: (channel, of, wait) => fields.put(channel, profileKey(of), wait),
    clear: async (channel, of) => void (await fields.remove(channel, [profileKey(of)])),
  };
}
