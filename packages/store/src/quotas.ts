import { DAY_MS } from '@pushfleet/domain';
import type { CallsBy, Keys } from './keys';
import { defineScript, runScript, type RedisClient } from './redis';

/** What an app may still do, as all processes of the fleet counted it together. */
export interface Quotas {
  /** Takes up to `want` calls out of a minute of an app. */
  takeCalls(minute: CallMinute, want: number): Promise<CallGrant>;
  /** Takes up to `want` devices out of the day of an app; answers how many it may have. */
  takeDeliveries(app: string, want: number, perDay: number): Promise<number>;
  /** Devices that an app reached today. */
  deliveriesToday(app: string): Promise<number>;
}

export interface CallMinute {
  readonly app: string;
  readonly by: CallsBy;
  readonly perMinute: number;
}

export interface CallGrant {
  /** 0: the app is refused as long as `ms` says. */
  readonly calls: number;
  /** How long the grant, or the refusal, holds. */
  readonly ms: number;
}

/**
 * A minute begins with its first call. A call too many closes the app for a minute of its own: the count then stands
 * below zero. KEYS count; ARGV wanted, per minute. Answers the calls granted and the life of the answer in ms.
 */
const callsScript = defineScript(`
local used, life = tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1])
if used < 0 and life > 0 then return { 0, life } end
local left = tonumber(ARGV[2]) - used
if left <= 0 then
  redis.call('SET', KEYS[1], -1, 'PX', 60000)
  return { 0, 60000 }
end
local granted = math.min(left, tonumber(ARGV[1]))
redis.call('INCRBY', KEYS[1], granted)
if life <= 0 then redis.call('PEXPIRE', KEYS[1], 60000); life = 60000 end
return { granted, life }`);

/** KEYS count; ARGV wanted, per day, life of the count in ms. Answers how many were granted. */
const deliveriesScript = defineScript(`
local left = tonumber(ARGV[2]) - tonumber(redis.call('GET', KEYS[1]) or 0)
local granted = math.max(0, math.min(left, tonumber(ARGV[1])))
if granted > 0 then
  redis.call('INCRBY', KEYS[1], granted)
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return granted`);

const TWO_DAYS_MS = 2 * DAY_MS;

export function openQuotas({ redis, keys, now }: { redis: RedisClient; keys: Keys; now: () => number }): Quotas {
  const today = (): string => new Date(now()).toISOString().slice(0, 10);
  return {
    async takeCalls({ app, by, perMinute }, want) {
      const taken = await runScript(redis, callsScript, { keys: [keys.callsOf(app, by)], args: [want, perMinute] });
      const [calls, ms] = taken as [number, number];
      return { calls, ms };
    },
    async takeDeliveries(app, want, perDay) {
      const count = { keys: [keys.deliveries(app, today())], args: [want, perDay, TWO_DAYS_MS] };
      return Number(await runScript(redis, deliveriesScript, count));
    },
    deliveriesToday: async (app) => Number((await redis.get(keys.deliveries(app, today()))) ?? 0),
  };
}
