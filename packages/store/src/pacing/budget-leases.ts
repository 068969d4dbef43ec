import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';

/** What a rate is counted for: a profile's calls or devices, or the devices of one push over all channels. */
export type PacedRate =
  | { readonly kind: 'requests' | 'devices'; readonly app: string; readonly channel: string; readonly profile: string }
  | { readonly kind: 'push'; readonly pushId: string };

export interface LeaseWish {
  readonly rate: PacedRate;
  readonly perSecond: number;
  /** A tenth of a profile's rate is for addressed pushes alone. */
  readonly queue: 'direct' | 'bulk';
  /** Whole units that could be used within `LEASE_MS`. */
  readonly want: number;
  /** Less than this is of no use. */
  readonly least: number;
}

/** Units to be used within `LEASE_MS`, or how long there is no room for the least that was asked for. */
export type Lease = { readonly granted: number } | { readonly waitMs: number };

/** The shares of rates that processes of the fleet take from a common store. */
export interface BudgetLeases {
  take(wish: LeaseWish): Promise<Lease>;
}

/** A share of a rate that was not used by then is given up. */
export const LEASE_MS = 100;

/** Units may be granted this far ahead of the even pace. */
const BURST_MS = 80;
/**
 * The even pace stays so far below the rate that the rate, the burst and the delay between grant and use fit into any
 * second: 1000 / (1000 + burst + 20).
 */
const PACE = 1000 / (1020 + BURST_MS);

const NO_RESERVE = [['all', 1]] as const;
const BULK = [['shared', 0.9]] as const;
const DIRECT = [['reserved', 0.1], ...BULK] as const;

/**
 * Each part of a rate is a point in time up to which it is booked; a grant books what it takes, at an even pace. What is
 * larger than a burst is granted when the part rests, and booked whole.
 * KEYS rate; ARGV per second, want, least, then name and share of the parts. Answers units, or 0 and how long to wait.
 */
const takeScript = defineScript(`
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local perSecond, want, least = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local parts, granted, wait = {}, 0, nil
for i = 4, #ARGV, 2 do
  local limit = perSecond * ARGV[i + 1]
  local pace = limit * ${PACE} / 1000
  local booked = math.max(now, tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or 0))
  local take = math.max(0, math.min(want - granted, math.floor((now + ${BURST_MS} - booked) * pace)))
  granted = granted + take
  parts[#parts + 1] = { name = ARGV[i], limit = limit, pace = pace, booked = booked, take = take }
end
local function book(part, untilMs)
  redis.call('HSET', KEYS[1], part.name, string.format('%.3f', untilMs))
  redis.call('PEXPIRE', KEYS[1], math.ceil(untilMs - now) + 60000)
end
if granted >= least then
  for _, part in ipairs(parts) do if part.take > 0 then book(part, part.booked + part.take / part.pace) end end
  return { granted, 0 }
end
for _, part in ipairs(parts) do
  if part.booked <= now then
    local rest, perWindow = least / part.pace, math.floor(part.limit / least)
    if perWindow > 0 then rest = math.max(rest, 1000 / perWindow) end
    book(part, now + rest)
    return { least, 0 }
  end
  local ahead = least / part.pace
  local waits = part.booked - now
  if ahead <= ${BURST_MS} then waits = waits + ahead - ${BURST_MS} end
  wait = math.min(wait or waits, waits)
end
return { 0, math.ceil(wait) }`);

export function openBudgetLeases({ redis, keys }: { redis: RedisClient; keys: Keys }): BudgetLeases {
  return {
    async take({ rate, perSecond, queue, want, least }) {
      const parts = rate.kind === 'push' ? NO_RESERVE : queue === 'direct' ? DIRECT : BULK;
      const key = rate.kind === 'push' ? keys.pushPace(rate.pushId) : keys.profilePace(rate, rate.kind);
      const answer = await runScript(redis, takeScript, {
        keys: [key],
        args: [perSecond, want, least, ...parts.flat()],
      });
      const [granted, waitMs] = answer as [number, number];
      return granted > 0 ? { granted } : { waitMs: Math.max(1, waitMs) };
    },
  };
}

/** Units per second that a rate comes to when it is used without a break. */
export const evenPace = (perSecond: number): number => perSecond * PACE;
