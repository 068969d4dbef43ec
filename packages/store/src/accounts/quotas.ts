import { DAY_MS } from '@pushfleet/domain';
import type { CallsBy, AccountKeys } from './keys';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/** What an app may still do, as all processes of the fleet counted it together. */
export interface Quotas {
  /** Takes up to `want` calls out of a minute of an app. */
  takeCalls(minute: CallMinute, want: number): Promise<CallGrant>;
  /** Takes up to `want` devices out of the day of an app. */
  takeDeliveries(app: string, want: number, perDay: number): Promise<DeliveryGrant>;
  /** Devices that an app reached on the day of a time. */
  deliveriesOn(app: string, at: number): Promise<number>;
}

export interface CallMinute {
  readonly app: string;
  readonly by: CallsBy;
  readonly perMinute: number;
}

export interface CallGrant {
  /** 0: the app has no calls left for `ms`. */
  readonly calls: number;
  /** How long the grant, or the refusal, holds. */
  readonly ms: number;
}

export interface DeliveryGrant {
  /** How many the app may have; 0: none. */
  readonly devices: number;
  /** Puts so many of them back into the day that they were taken out of. */
  giveBack(devices: number): Promise<void>;
}

const MINUTE_MS = 60_000;

const takeCalls = luaScript('accounts/take-calls', {
  params: { count: 'key', want: 'number', perMinute: 'number' },
  constants: { MINUTE_MS },
  answer: ([calls, ms]: readonly [number, number]): CallGrant => ({ calls, ms }),
});

const takeDeliveries = luaScript('accounts/take-deliveries', {
  params: { count: 'key', want: 'number', perDay: 'number', lifeMs: 'text' },
  answer: Number,
});

const giveBackDeliveries = luaScript('accounts/give-back-deliveries', {
  params: { count: 'key', devices: 'number' },
  answer: () => undefined,
});

const TWO_DAYS_MS = 2 * DAY_MS;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export function openQuotas({ redis, keys, now }: { redis: RedisClient; keys: AccountKeys; now: () => number }): Quotas {
  return {
    takeCalls: ({ app, by, perMinute }, want) => takeCalls(redis, { count: keys.callsOf(app, by), want, perMinute }),
    async takeDeliveries(app, want, perDay) {
      const count = keys.deliveries(app, dayOf(now()));
      const devices = await takeDeliveries(redis, { count, want, perDay, lifeMs: TWO_DAYS_MS });
      return { devices, giveBack: (some) => giveBackDeliveries(redis, { count, devices: some }) };
    },
    deliveriesOn: async (app, at) => Number((await redis.get(keys.deliveries(app, dayOf(at)))) ?? 0),
  };
}
