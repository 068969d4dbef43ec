import type { PacingKeys } from './keys';
import type { PushKeys } from '../pushes';
import { each } from '../kit/lua/params';
import { luaScript } from '../kit/lua/script';
import type { RedisClient } from '../kit/redis';

/** What a rate is counted for: a profile's calls or devices, or the devices of one push over all channels. */
export type PacedRate =
  | { readonly kind: 'requests' | 'devices'; readonly app: string; readonly channel: string; readonly profile: string }
  | {
      readonly kind: 'push';
      readonly pushId: string;
      /** Channels of a push take turns: the small pages of one would leave no room for the large ones of another. */
      readonly channel?: string;
    };

export interface LeaseWish {
  readonly rate: PacedRate;
  readonly perSecond: number;
  /** A tenth of a profile's rate is for addressed pushes alone. */
  readonly queue: 'direct' | 'bulk';
  /** Whole units that could be used within `LEASE_MS`. */
  readonly want: number;
  /** A grant of less would be of no use. */
  readonly least: number;
}

/** Units to be used within `LEASE_MS`, or how long there is no room for the least that was asked for. */
export type Lease = { readonly granted: number } | { readonly waitMs: number };

/** The shares of rates that processes of the fleet take from a common store. */
export interface BudgetLeases {
  take(wish: LeaseWish): Promise<Lease>;
}

/** Granted units that are not used in this time are lost. */
export const LEASE_MS = 100;

/** Units may be granted this far ahead of the even pace. */
const BURST_MS = 80;
/**
 * The even pace stays so far below the rate that the rate, the burst and the delay between grant and use fit into any
 * second: 1000 / (1000 + burst + 20).
 */
const PACE = 1000 / (1020 + BURST_MS);

/** One that waits is counted on for so long after it was told to come back. */
const LATE_MS = 250;
/** Later than the one whose turn it is. */
const TURN_MS = 10;

const BULK = { name: 'shared', share: 0.9 };
const NO_RESERVE = [{ name: 'all', share: 1 }];
const RESERVED = { name: 'reserved', share: 0.1 };

const takeLease = luaScript('pacing/take-lease', {
  params: {
    rate: 'key',
    taker: 'text',
    perSecond: 'number',
    want: 'number',
    least: 'number',
    parts: each({ name: 'text', share: 'number' }),
  },
  constants: { PACE, BURST_MS, LATE_MS, TURN_MS, WAITER: 'w:', AT: 'at' },
  answer: ([granted, waitMs]: readonly [number, number]): Lease =>
    granted > 0 ? { granted } : { waitMs: Math.max(1, waitMs) },
});

export function openBudgetLeases({ redis, keys }: { redis: RedisClient; keys: PacingKeys & PushKeys }): BudgetLeases {
  return {
    take({ rate, perSecond, queue, want, least }) {
      const parts = rate.kind === 'push' ? NO_RESERVE : queue === 'direct' ? [RESERVED, BULK] : [BULK];
      const key = rate.kind === 'push' ? keys.pushPace(rate.pushId) : keys.profilePace(rate, rate.kind);
      const taker = rate.kind === 'push' ? (rate.channel ?? '') : '';
      return takeLease(redis, { rate: key, taker, perSecond, want, least, parts });
    },
  };
}

/** How long the slowest of several rates takes for what it is used for, when they are used without a break. */
export const secondsFor = (uses: readonly { readonly perSecond: number; readonly cost: number }[]): number =>
  Math.max(0, ...uses.map(({ perSecond, cost }) => cost / (perSecond * PACE)));
