-- For each channel 1 if it has subscribers in the shard, else 0; the keys of subscriptions begin with a text.
local records, begin, buckets, channels = ...

-- Names the slot, and nothing else.
local _ = records
local out = {}
for c, channel in ipairs(channels) do
  out[c] = 0
  for _, bucket in ipairs(buckets) do
    if out[c] == 0 then out[c] = redis.call('EXISTS', begin .. bucket .. ':' .. channel) end
  end
end
return out
