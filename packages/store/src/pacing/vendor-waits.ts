import type { PacingKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import type { ProfileOfChannel } from './breakers';
import { openSharedFields } from './shared-fields';

/** The vendor asked the campaigns of a profile to wait. */
export interface VendorWait {
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly reason: 'throttled' | 'quota-exceeded';
}

export interface VendorWaitStore {
  /** Waits of a channel that are not over. */
  list(channel: string, now: number): Promise<readonly (ProfileOfChannel & VendorWait)[]>;
  note(channel: string, of: ProfileOfChannel, wait: VendorWait): Promise<void>;
  clear(channel: string, of: ProfileOfChannel): Promise<void>;
}

export function openVendorWaits({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): VendorWaitStore {
  const fields = openSharedFields<VendorWait>(redis, (channel) => keys.vendorWaits(channel));
  return {
    async list(channel, now) {
      const all = await fields.list(channel);
      return all.flatMap(([name, wait]) => {
        const slash = name.indexOf('/');
        return wait.until > now ? [{ app: name.slice(0, slash), profile: name.slice(slash + 1), ...wait }] : [];
      });
    },
    note: (channel, { app, profile }, wait) => fields.put(channel, `${app}/${profile}`, wait),
    clear: async (channel, { app, profile }) => void (await fields.remove(channel, [`${app}/${profile}`])),
  };
}
