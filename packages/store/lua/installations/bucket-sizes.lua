-- Devices of each bucket in one shard, or subscriptions there to any of some channels; their keys begin with a text.
local records, begin, ofChannels, buckets, channels = ...

-- Names the slot, and nothing else.
local _ = records
local out = {}
for b, bucket in ipairs(buckets) do
  local count = 0
  if ofChannels == '0' then count = redis.call('ZCARD', begin .. bucket) end
  for _, channel in ipairs(channels) do count = count + redis.call('ZCARD', begin .. bucket .. ':' .. channel) end
  out[b] = count
end
return out
