import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';

export interface WaitingPush {
  readonly pushId: string;
  readonly channel: string;
  readonly devicesPerSecond: number;
  readonly now: number;
}

export interface EstimateStore {
  /** Notes when a push that waits will be done on one channel, by the devices that are left. */
  note(push: WaitingPush): Promise<void>;
}

/** A field of the record: `channel=time` of each channel that the push waits for. */
export const ESTIMATES = 'eta';

/** A record that is gone stays gone. KEYS record; ARGV channel, devices per ms, now. */
const noteScript = defineScript(`
local column = 'c|' .. ARGV[1] .. '|'
local known = redis.call('HMGET', KEYS[1], 'status', column .. 'expected', column .. 'matched', column .. 'outstanding',
  '${ESTIMATES}')
if known[1] ~= 'in-queue' then return 0 end
local expected, matched, outstanding = tonumber(known[2] or 0), tonumber(known[3] or 0), tonumber(known[4] or 0)
local left = math.max(0, expected - matched) + outstanding
local estimates = { ARGV[1] .. '=' .. string.format('%.0f', math.ceil(ARGV[3] + left / ARGV[2])) }
for channel, at in string.gmatch(known[5] or '', '(%S+)=(%d+)') do
  if channel ~= ARGV[1] then estimates[#estimates + 1] = channel .. '=' .. at end
end
redis.call('HSET', KEYS[1], '${ESTIMATES}', table.concat(estimates, ' '))
return 1`);

export function openEstimates({ redis, keys }: { redis: RedisClient; keys: Keys }): EstimateStore {
  return {
    async note({ pushId, channel, devicesPerSecond, now }) {
      const args = [channel, devicesPerSecond / 1000, now];
      await runScript(redis, noteScript, { keys: [keys.pushRecord(pushId)], args });
    },
  };
}

/** By channel. */
export function estimatesIn(text: string): ReadonlyMap<string, number> {
  const estimates = text.split(' ').filter((estimate) => estimate !== '');
  return new Map(
    estimates.map((estimate) => {
      const at = estimate.indexOf('=');
      return [estimate.slice(0, at), Number(estimate.slice(at + 1))];
    }),
  );
}

/** When a push will be done, by its record's fields; undefined when it does not wait, or no longer than was thought. */
export function estimateIn(
  fields: Readonly<Record<string, string>>,
  now: number,
): { readonly estimatedDoneAt?: number } {
  if (fields['status'] !== 'in-queue' || fields['cancelled'] !== undefined) return {};
  const at = Math.max(0, ...estimatesIn(fields[ESTIMATES] ?? '').values());
  return at > now ? { estimatedDoneAt: at } : {};
}
