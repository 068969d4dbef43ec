import type { PacingKeys } from './keys';
import type { RedisClient } from '../kit/redis';
import { profileKey, profileOfKey, type AppProfile } from './app-profile';
import { openSharedFields, type FieldChange } from './shared-fields';

/** Times are milliseconds since the epoch. */
export type Breaker =
  /** Calls go through, although the latest ones have failed. */
  | {
      readonly state: 'closed';
      readonly faults: number;
      readonly firstFaultAt: number;
      /** Calls that may have been taken, and when the first of them ended. */
      readonly unknowns?: number;
      readonly firstUnknownAt?: number;
    }
  /** No calls until `probeAt`. */
  | ({ readonly state: 'open' } & Interruption)
  /** One call is trying. After `probeAt` another call may, because the worker of the first one has died. */
  | ({ readonly state: 'half-open'; readonly prober: string } & Interruption);

interface Interruption {
  readonly since: number;
  readonly probeAt: number;
  /** How many times in a row the breaker opened. */
  readonly openings: number;
  readonly reason: string;
}

export interface BreakerStore {
  /** Breakers of a channel with recent faults. */
  list(channel: string): Promise<readonly (AppProfile & { readonly breaker: Breaker })[]>;
  read(channel: string, of: AppProfile): Promise<Breaker | undefined>;
  /** Writes the next state, or removes it, unless the present one is not `from`. */
  replace(channel: string, of: AppProfile, change: BreakerChange): Promise<boolean>;
}

export type BreakerChange = FieldChange<Breaker>;

export function openBreakers({ redis, keys }: { redis: RedisClient; keys: PacingKeys }): BreakerStore {
  const fields = openSharedFields<Breaker>(redis, (channel) => keys.breakers(channel));
  return {
    async list(channel) {
      return (await fields.list(channel)).map(([key, breaker]) => ({ ...profileOfKey(key), breaker }));
    },
    read: (channel, of) => fields.read(channel, profileKey(of)),
    replace: (channel, of, change) => fields.replace(channel, profileKey(of), change),
  };
}
