-- Adds a reference to mailboxes of one shard and tells where each installation is connected. Answers for each: presence,
-- then what was evicted, those that expired first. One without its time has expired.
-- each of boxes: mailbox, place.
local reference, lifeMs, limit, boxes = ...

local time = redis.call('TIME')
local now = time[1] * 1000
local function trim(mailbox)
  local held = redis.call('ZRANGE', mailbox, 0, -1)
  local extra, evicted = #held - limit, {}
  for _, old in ipairs(held) do
    if extra > 0 and tonumber(string.match(old, '%d+$') or 0) < now then
      redis.call('ZREM', mailbox, old)
      extra = extra - 1
    end
  end
  for _, old in ipairs(held) do
    if extra > 0 and redis.call('ZREM', mailbox, old) == 1 then
      evicted[#evicted + 1] = old
      extra = extra - 1
    end
  end
  return evicted
end

local out = {}
for i, box in ipairs(boxes) do
  local mailbox, answer = box.mailbox, {}
  if redis.call('ZADD', mailbox, 'NX', time[1] * 1000000 + time[2], reference) == 1 then
    if redis.call('ZCARD', mailbox) > limit then answer = trim(mailbox) end
    if redis.call('PTTL', mailbox) < lifeMs then redis.call('PEXPIRE', mailbox, lifeMs) end
  end
  table.insert(answer, 1, redis.call('GET', box.place) or '')
  out[i] = answer
end
return out
