import type { Keys } from '../keys';
import { defineScript, runScript, type RedisClient } from '../redis';

/** Where work of a push is left: the kind of queue, and the channel of its books. */
export interface WorkLeft {
  readonly channel: string;
  readonly queue: 'direct' | 'bulk';
}

/** One push as its watcher sees it, taken at one moment. */
export interface AuditedPush {
  /** From when on its devices wait: when it was accepted, or the time it was scheduled for. */
  readonly waitsSince: number;
  readonly state: 'scheduled' | 'accepted' | 'dispatched' | 'done';
  readonly work: readonly WorkLeft[];
  /** By channel, the devices that it was planned for and that have no verdict yet. */
  readonly devicesLeft: Readonly<Record<string, number>>;
  /** Every column says matched = accepted + discarded + failed + outstanding, and nothing is left once it is done. */
  readonly addsUp: boolean;
}

/** Looks at push records from outside, to tell how the fleet is doing. */
export interface PushAudit {
  /** Ids of open pushes of one push shard, those looked at longest ago first. */
  openIds(shard: number, limit: number): Promise<readonly string[]>;
  /** Ids of the pushes that an app dispatched last. */
  recentIds(app: string, limit: number): Promise<readonly string[]>;
  /** Undefined when the record is gone. */
  look(pushId: string): Promise<AuditedPush | undefined>;
}

/**
 * KEYS record, ledger. Answers the time, state, whether the books add up, `direct` or `bulk` of the stored pages, then
 * channels: of open lanes behind `lane`, of columns with devices outstanding behind `page`, of devices without a verdict behind
 * their number. `pushTime` is looked for from the end:
 * what stands before it was written by the sender.
 */
const lookScript = defineScript(`
local record, ledger = KEYS[1], KEYS[2]
local known = redis.call('HMGET', record, 'push', 'state', 'status')
if not known[1] then return {} end
local isDone = known[3] == 'done' or known[3] == 'error'
local balance, outstanding, left = {}, {}, {}
local fields = redis.call('HGETALL', record)
for i = 1, #fields, 2 do
  local channel, counter = string.match(fields[i], '^c|([^|]*)|(.*)$')
  if channel then
    local count, kind = tonumber(fields[i + 1]), string.sub(counter, 1, 2)
    local before, rest = balance[channel] or 0, left[channel] or 0
    if counter == 'matched' then balance[channel] = before + count
    elseif counter == 'expected' then left[channel] = rest + count
    elseif counter == 'accepted' or kind == 'd:' or kind == 'f:' then
      balance[channel], left[channel] = before - count, rest - count
    elseif counter == 'outstanding' then
      balance[channel], outstanding[channel] = before - count, count
    end
  end
end
local addsUp = 1
for _, rest in pairs(balance) do if rest ~= 0 then addsUp = 0 end end
for _, count in pairs(outstanding) do if count < 0 or (isDone and count ~= 0) then addsUp = 0 end end
local state = isDone and 'done' or known[2] == 'dispatched' and 'dispatched' or known[3] == 'scheduled' and 'scheduled' or 'accepted'
local out = { string.match(known[1], '^.*"pushTime":(%d+)') or '0', state, addsUp, 'bulk' }
if state ~= 'dispatched' then return out end
for channel, count in pairs(left) do
  if count > 0 then
    out[#out + 1] = tostring(count)
    out[#out + 1] = channel
  end
end
local seen, page = {}, nil
for _, field in ipairs(redis.call('HKEYS', ledger)) do
  local lane = string.match(field, '^at|(.*)$')
  if lane then
    local text = redis.call('HGET', ledger, 'lane|' .. lane) or ''
    local channel = string.match(text, '"channel":"([^"]*)"')
    if channel and not seen[channel] then
      seen[channel] = true
      out[#out + 1] = 'lane'
      out[#out + 1] = channel
    end
  elseif not page and string.sub(field, 1, 5) == 'page|' then page = field end
end
if not page then return out end
if string.find(redis.call('HGET', ledger, page) or '', '"direct":true', 1, true) then out[4] = 'direct' end
for channel, count in pairs(outstanding) do
  if count > 0 then
    out[#out + 1] = 'page'
    out[#out + 1] = channel
  end
end
return out`);

export function openPushAudit({ redis, keys }: { redis: RedisClient; keys: Keys }): PushAudit {
  return {
    openIds: (shard, limit) => redis.zrange(keys.openPushes(shard), '0', String(limit - 1)),
    recentIds: (app, limit) => redis.zrevrange(keys.pushesOf(app), '0', String(limit - 1)),
    async look(pushId) {
      const script = { keys: [keys.pushRecord(pushId), keys.ledger(pushId)], args: [] };
      const answer = (await runScript(redis, lookScript, script)) as readonly (string | number)[];
      return answer.length === 0 ? undefined : decode(answer);
    },
  };
}

function decode([time, state, addsUp, pages, ...parts]: readonly (string | number)[]): AuditedPush {
  const work: WorkLeft[] = [];
  const devicesLeft: Record<string, number> = {};
  for (let i = 0; i < parts.length; i += 2) {
    const [part, channel] = [String(parts[i]), String(parts[i + 1])];
    if (part === 'lane') work.push({ channel, queue: 'bulk' });
    else if (part === 'page') work.push({ channel, queue: pages === 'direct' ? 'direct' : 'bulk' });
    else devicesLeft[channel] = Number(part);
  }
  return {
    ...{ waitsSince: Number(time), state: state as AuditedPush['state'], work, devicesLeft },
    addsUp: addsUp === 1,
  };
}
