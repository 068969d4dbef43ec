-- The subscribers of any of some channels in one shard, with their addresses, unless they are more than a limit. The keys
-- of a bucket and of its subscriptions begin with two texts. Answers how many subscriptions there are, then for each device the
-- position of its bucket, its address, and its text where texts are wanted.
local records, bucketsBegin, subscriptionsBegin, limit, withTexts, buckets, channels = ...

local sets, count = {}, 0
for b, bucket in ipairs(buckets) do
  for _, channel in ipairs(channels) do
    local key = subscriptionsBegin .. bucket .. ':' .. channel
    local size = redis.call('ZCARD', key)
    if size > 0 then
      sets[#sets + 1] = { b, key }
      count = count + size
    end
  end
end
local out = { count }
if count > limit then return out end

local seen = {}
for _, set in ipairs(sets) do
  local bucket = bucketsBegin .. buckets[set[1]]
  for _, id in ipairs(redis.call('ZRANGE', set[2], 0, -1)) do
    if not seen[id] then
      seen[id] = true
      local found = redis.call('ZRANGEBYLEX', bucket, '[' .. id .. ' ', '(' .. id .. '!', 'LIMIT', 0, 1)
      out[#out + 1] = set[1]
      out[#out + 1] = found[1] or (id .. ' ')
      out[#out + 1] = withTexts == '1' and redis.call('HGET', records, id) or ''
    end
  end
end
return out
