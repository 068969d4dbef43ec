-- The subscribers of each of some channels in one shard. The keys of a bucket and of its subscriptions begin with two texts.
-- Answers for each subscription the position of its channel, that of its bucket, the address and when the device was last
-- saved; for a channel with more subscribers than a limit one row, whose position of a bucket is 0.
local records, bucketsBegin, subscriptionsBegin, limit, buckets, channels = ...

local out = {}
local function answer(channel, bucket, address, savedAt)
  local at = #out
  out[at + 1], out[at + 2], out[at + 3], out[at + 4] = channel, bucket, address, savedAt
end

-- A column may hold a text that looks like it: whoever writes it there may as well save the device.
local known = {}
local function readDevice(b, id)
  local device = known[id]
  if device then return device end
  local found = redis.call('ZRANGEBYLEX', bucketsBegin .. buckets[b], '[' .. id .. ' ', '(' .. id .. '!', 'LIMIT', 0, 1)
  local text = redis.call('HGET', records, id) or ''
  device = { found[1] or (id .. ' '), string.match(text, '"updatedAt":"([^"]*)"') or '' }
  known[id] = device
  return device
end

for c, channel in ipairs(channels) do
  local sets, count = {}, 0
  for b, bucket in ipairs(buckets) do
    local key = subscriptionsBegin .. bucket .. ':' .. channel
    local size = redis.call('ZCARD', key)
    if size > 0 then sets[#sets + 1] = { b, key } end
    count = count + size
  end
  if count > limit then
    answer(c, 0, '', '')
  else
    for _, set in ipairs(sets) do
      for _, id in ipairs(redis.call('ZRANGE', set[2], 0, -1)) do
        local device = readDevice(set[1], id)
        answer(c, set[1], device[1], device[2])
      end
    end
  end
end
return out
