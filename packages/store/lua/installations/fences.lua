-- What was read of a record before it was fenced does not count any more: a write compares the fence along with the
-- text. A fence goes by itself once nobody may write what was claimed before it.
local fences = {}

function fences.of(set, objectId)
  return redis.call('ZSCORE', set, objectId) or ''
end

function fences.put(set, objectId)
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local last = tonumber(redis.call('ZSCORE', set, objectId) or 0)
  redis.call('ZREMRANGEBYSCORE', set, '-inf', string.format('%d', now - FENCE_MS))
  redis.call('ZADD', set, string.format('%d', math.max(now, last + 1)), objectId)
  redis.call('PEXPIRE', set, FENCE_MS)
end

return fences
