import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';

/** Times are milliseconds since the epoch. */
export type Breaker =
  /** Calls go through; those of late have failed. */
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
  /** One call is trying; after `probeAt` another may, for whoever made it has died. */
  | ({ readonly state: 'half-open'; readonly prober: string } & Interruption);

interface Interruption {
  readonly since: number;
  readonly probeAt: number;
  /** Times in a row that it opened. */
  readonly openings: number;
  readonly reason: string;
}

export interface ProfileOfChannel {
  readonly app: string;
  readonly profile: string;
}

export interface BreakerStore {
  /** Those of a channel that have seen faults of late. */
  list(channel: string): Promise<readonly (ProfileOfChannel & { readonly breaker: Breaker })[]>;
  read(channel: string, of: ProfileOfChannel): Promise<Breaker | undefined>;
  /** Writes the next state, or removes it, unless the present one is not `from`. */
  replace(channel: string, of: ProfileOfChannel, change: BreakerChange): Promise<boolean>;
}

export interface BreakerChange {
  readonly from: Breaker | undefined;
  readonly to: Breaker | undefined;
}

/** KEYS breakers; ARGV field, present text, next text; '' is none. */
const replaceScript = defineScript(`
if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
if ARGV[3] == '' then redis.call('HDEL', KEYS[1], ARGV[1]) else redis.call('HSET', KEYS[1], ARGV[1], ARGV[3]) end
return 1`);

const fieldOf = ({ app, profile }: ProfileOfChannel): string => `${app}/${profile}`;
const textOf = (breaker: Breaker | undefined): string => (breaker ? JSON.stringify(breaker) : '');

export function openBreakers({ redis, keys }: { redis: RedisClient; keys: Keys }): BreakerStore {
  return {
    async list(channel) {
      const fields = await redis.hgetall(keys.breakers(channel));
      return Object.entries(fields).map(([name, text]) => {
        const slash = name.indexOf('/');
        const of = { app: name.slice(0, slash), profile: name.slice(slash + 1) };
        return { ...of, breaker: JSON.parse(text) as Breaker };
      });
    },
    async read(channel, of) {
      const text = await redis.hget(keys.breakers(channel), fieldOf(of));
      return text === null ? undefined : (JSON.parse(text) as Breaker);
    },
    async replace(channel, of, { from, to }) {
      const script = { keys: [keys.breakers(channel)], args: [fieldOf(of), textOf(from), textOf(to)] };
      return (await runScript(redis, replaceScript, script)) === 1;
    },
  };
}
